package io.ballast.policy.oidc.session;

import io.ballast.core.hash.SipHash24;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.policy.Identity;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.route.key.Cookies;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.policy.config.jwt.JwtClaimRules;
import io.ballast.policy.config.oidc.OidcConfig;
import io.ballast.policy.jwt.TokenCache;
import io.ballast.policy.jwt.token.TokenClaims;
import io.ballast.policy.jwt.token.TokenRules;
import io.ballast.policy.oidc.provider.UserGrant;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the sessions of users in cookies. A session above {@value #PART_CHARACTERS} characters is split into
 * two cookies. A cookie that was decrypted before is found in a cache.
 *
 * <p>Thread safety: all methods may be called concurrently without locks. Cost of {@link #find} for a cookie in the
 * cache: a hash of 64 bytes and a comparison of the cookie; allocates nothing.
 */
public final class SessionCookies {

    /**
     * The maximum length of the text in one cookie. Browsers store cookies of up to 4096 bytes, and requests have lines
     * of up to 8 KiB by default.
     */
    static final int PART_CHARACTERS = 3200;

    static final int MAX_CHARACTERS = 2 * PART_CHARACTERS;

    /** The maximum number of decrypted sessions in memory. */
    private static final int CACHED = 8192;

    private static final long MAX_REFRESH_LEAD_MILLIS = 60_000;
    private static final int SHARE_OF_LEAD = 5;

    private final OidcConfig config;
    private final CookieCipher cipher;
    private final byte[] purpose;
    private final TokenRules rules;
    private final Set<String> needed;
    private final TokenCache<Session> cache;
    private final LongSupplier millis;
    private final Consumer<Session> firstUse;
    private final CookieNames plainNames;
    private final CookieNames tlsNames;

    /**
     * @param hash a hash function with a random key
     * @param millis the time of day in milliseconds since 1970
     */
    public SessionCookies(OidcConfig config, CookieCipher cipher, SipHash24 hash, LongSupplier millis) {
        this(config, cipher, hash, millis, session -> {});
    }

    /**
     * @param hash a hash function with a random key
     * @param millis the time of day in milliseconds since 1970
     * @param firstUse called with a session whose cookie was not in the cache
     */
    public SessionCookies(
            OidcConfig config, CookieCipher cipher, SipHash24 hash, LongSupplier millis, Consumer<Session> firstUse) {
        this.config = config;
        this.cipher = cipher;
        this.purpose = purpose("session", config);
        this.rules = new TokenRules(Set.of(), JwtClaimRules.requiring(config.required()));
        this.needed = config.neededClaims();
        this.cache = new TokenCache<>(CACHED, hash);
        this.millis = millis;
        this.firstUse = firstUse;
        this.plainNames = new CookieNames(config.cookie(), /* https= */ false);
        this.tlsNames = new CookieNames(config.cookie(), /* https= */ true);
    }

    /**
     * Returns the additional authenticated data of a cookie: its use, the provider, the client and the name of the
     * cookie. Policies with the same data share their sessions.
     */
    public static byte[] purpose(String use, OidcConfig config) {
        StringBuilder purpose = new StringBuilder();
        List.of(
                        use,
                        config.client().issuer(),
                        config.client().clientId(),
                        config.cookie().name())
                .forEach(part -> purpose.append(part.length()).append(':').append(part));
        return purpose.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The names of cookies. */
    public CookieNames names(boolean https) {
        return https ? tlsNames : plainNames;
    }

    /** Returns the session of a request; null if the request has no session, or an invalid one. */
    public @Nullable Session find(PolicyExchange exchange, boolean https) {
        ByteAppender joined = exchange.scratch();
        RoutedRequest request = exchange.request();
        long range = locate(request, names(https), joined);
        if (range == Cookies.NONE) {
            return null;
        }
        byte[] bytes = joined.length() == 0 ? request.bytes() : joined.bytes();
        int from = Cookies.from(range);
        int to = Cookies.to(range);
        long now = millis.getAsLong();
        Session known = cache.find(bytes, from, to, now);
        return known == null ? decrypt(bytes, from, to, now) : known;
    }

    /** Returns the content of the session of a request; null if the request has no session, or an invalid one. */
    public @Nullable SessionContent read(PolicyExchange exchange, boolean https) {
        ByteAppender joined = exchange.scratch();
        RoutedRequest request = exchange.request();
        long range = locate(request, names(https), joined);
        return range == Cookies.NONE
                ? null
                : content(
                        joined.length() == 0 ? request.bytes() : joined.bytes(),
                        Cookies.from(range),
                        Cookies.to(range));
    }

    /**
     * Finds the encrypted session in the cookies. Its first character, which is omitted, is the number of cookies
     * that contain the session.
     *
     * @param joined receives the joined text of two cookies; empty afterwards if there is only one cookie
     * @return a range of the request, or of {@code joined}; {@link Cookies#NONE} for none
     */
    private static long locate(RoutedRequest request, CookieNames names, ByteAppender joined) {
        joined.clear();
        long first = Cookies.find(request, names.first());
        if (first == Cookies.NONE || Cookies.to(first) <= Cookies.from(first)) {
            return Cookies.NONE;
        }
        int from = Cookies.from(first) + 1;
        int to = Cookies.to(first);
        byte parts = request.bytes()[from - 1];
        if (parts == '1') {
            return to - from > PART_CHARACTERS ? Cookies.NONE : range(from, to);
        }
        long second = parts == '2' ? Cookies.find(request, names.second()) : Cookies.NONE;
        if (second == Cookies.NONE || to - from + Cookies.to(second) - Cookies.from(second) > MAX_CHARACTERS) {
            return Cookies.NONE;
        }
        joined.append(request.bytes(), from, to);
        joined.append(request.bytes(), Cookies.from(second), Cookies.to(second));
        return range(0, joined.length());
    }

    private static long range(int from, int to) {
        return (long) from << Integer.SIZE | to;
    }

    private @Nullable Session decrypt(byte[] bytes, int from, int to, long now) {
        SessionContent content = content(bytes, from, to);
        if (content == null || now >= content.endMillis()) {
            return null;
        }
        Session session = session(content);
        firstUse.accept(session);
        cache.put(Arrays.copyOfRange(bytes, from, to), session, now);
        return session;
    }

    private @Nullable SessionContent content(byte[] bytes, int from, int to) {
        byte[] plain = cipher.decrypt(bytes, from, to, purpose);
        return plain == null ? null : SessionContent.decode(plain);
    }

    /** Returns the session with the given content. */
    public Session session(SessionContent content) {
        UserGrant grant = content.grant();
        TokenClaims claims = new TokenClaims(grant.claims());
        long lifetime = grant.expiresMillis() - content.issuedMillis();
        long lead = Math.min(MAX_REFRESH_LEAD_MILLIS, lifetime / SHARE_OF_LEAD);
        return new Session(
                content.id(),
                content.needsRefresh() ? grant.expiresMillis() - lead : Long.MAX_VALUE,
                content.renewMillis(),
                content.endMillis(),
                rules.permits(claims),
                new Identity(claims.text(config.identity()), claims.texts()),
                claims.headerLines(config.headers()));
    }

    /**
     * Returns the header lines that set the cookies of a session. If the content is too large, it is stored without the
     * ID token, then without claims that the policy does not use.
     *
     * @return empty if the content is still too large
     */
    public Optional<byte[]> lines(SessionContent content, boolean https) {
        SessionContent whole = content.withUserClaims(needed);
        return text(whole)
                .or(() -> text(whole.withoutIdToken()))
                .or(() -> text(whole.withoutIdToken().withNeededClaims(needed)))
                .map(text -> lines(text, content.endMillis(), names(https)));
    }

    private Optional<String> text(SessionContent content) {
        String text = cipher.encrypt(content.encode(), purpose);
        return Optional.of(text).filter(fitting -> fitting.length() <= MAX_CHARACTERS);
    }

    private byte[] lines(String text, long endMillis, CookieNames names) {
        long seconds = Math.max(1, (endMillis - millis.getAsLong()) / 1000);
        boolean isOne = text.length() <= PART_CHARACTERS;
        String lines = isOne
                ? names.line(/* isFirst= */ true, "1" + text, seconds) + names.line(/* isFirst= */ false, "", 0)
                : names.line(/* isFirst= */ true, "2" + text.substring(0, PART_CHARACTERS), seconds)
                        + names.line(/* isFirst= */ false, text.substring(PART_CHARACTERS), seconds);
        return lines.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the header lines that delete the cookies of a session. */
    public byte[] deletion(boolean https) {
        CookieNames names = names(https);
        return (names.line(/* isFirst= */ true, "", 0) + names.line(/* isFirst= */ false, "", 0))
                .getBytes(StandardCharsets.US_ASCII);
    }
}
