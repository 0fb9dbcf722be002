package io.ballast.http.header;

import io.ballast.core.balance.Hash64;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.StickyConfig;
import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderField;
import io.ballast.core.config.header.HeaderValue;
import io.ballast.core.config.header.HeaderVariable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The session affinity cookie of a pool. Immutable. */
public final class SessionCookie {

    private static final String PREFIX = "ballast-";

    private final byte[] name;
    private final CompiledHeaderChanges response;

    private SessionCookie(String name, CompiledHeaderChanges response) {
        this.name = name.getBytes(StandardCharsets.US_ASCII);
        this.response = response;
    }

    /**
     * The cookie of a pool, if it has one.
     *
     * @param byTls whether clients connect with TLS
     * @param changes the other changes to response headers
     * @param policyLines the variable for the header lines of policies; null for none
     */
    static Optional<SessionCookie> of(
            PoolConfig pool, boolean byTls, List<HeaderChanges> changes, @Nullable HeaderVariable policyLines) {
        return pool.strategy().sticky().map(config -> {
            String name = config.name().orElseGet(() -> nameFor(pool.name()));
            List<HeaderChanges> all = new ArrayList<>(changes);
            all.add(new HeaderChanges(List.of(), List.of(field(name, config, byTls)), List.of()));
            return new SessionCookie(name, CompiledHeaderChanges.compile(all, policyLines));
        });
    }

    /**
     * Returns a name per pool, so that pools of one host do not overwrite each other's cookies. It does not reveal the
     * pool's name.
     */
    private static String nameFor(String pool) {
        byte[] bytes = pool.getBytes(StandardCharsets.UTF_8);
        return PREFIX + HexFormat.of().toHexDigits((int) Hash64.of(bytes, 0, bytes.length));
    }

    private static HeaderField field(String name, StickyConfig config, boolean byTls) {
        StringBuilder attributes = new StringBuilder("; Path=/; HttpOnly; SameSite=")
                .append(config.sameSite().attribute());
        if (config.isSecure(byTls)) {
            attributes.append("; Secure");
        }
        config.maxAge().ifPresent(age -> attributes.append("; Max-Age=").append(age.toSeconds()));
        List<HeaderValue.Part> parts = List.of(
                new HeaderValue.Literal(name + "="),
                new HeaderValue.Variable(HeaderVariable.TOKEN),
                new HeaderValue.Literal(attributes.toString()));
        return new HeaderField("Set-Cookie", new HeaderValue(name, parts));
    }

    /** The name of the cookie. Must not be modified. */
    public byte[] name() {
        return name;
    }

    /** The header edits of a response that sets the cookie. */
    public CompiledHeaderChanges response() {
        return response;
    }
}
