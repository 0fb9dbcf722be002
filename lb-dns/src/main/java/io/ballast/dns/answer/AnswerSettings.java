package io.ballast.dns.answer;

import io.ballast.core.net.Cidr;
import io.ballast.core.net.CidrSet;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.answer.data.Client;
import io.ballast.dns.config.CookieConfig;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.protect.Protection;
import io.ballast.dns.wire.EdnsResponse;
import io.ballast.dns.wire.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Answer settings of a frontend that do not depend on the question.
 *
 * <p>Thread safety: shared by all answering threads.
 */
public final class AnswerSettings {

    /** Settings without rate limits, cookies and server name. */
    public static final AnswerSettings OPEN = new AnswerSettings(
            Protection.of(CookieConfig.OFF, Optional.empty(), InstantSource.system(), System::nanoTime),
            "",
            Duration.ZERO);

    private final Protection protection;
    private final byte[] nsid;
    private final CidrSet ecsTrusted;
    private final int keepaliveTenths;
    private final ServerIdentity identity;

    /**
     * @param nsid server identifier (NSID) for clients that request it; at most {@value
     *     EdnsResponse#MAX_NSID_BYTES} bytes in UTF-8; empty for no identifier
     * @param tcpIdle idle timeout of connections, sent to clients that request it; not sent if zero
     */
    public AnswerSettings(Protection protection, String nsid, Duration tcpIdle) {
        this(protection, nsid, tcpIdle, DnsConfig.ALL_CLIENTS, ServerIdentity.NONE);
    }

    /**
     * @param ecsTrusted networks of resolvers whose client subnet (ECS) is trusted
     * @param identity answers to identity queries in class CH
     */
    public AnswerSettings(
            Protection protection, String nsid, Duration tcpIdle, List<Cidr> ecsTrusted, ServerIdentity identity) {
        this.identity = identity;
        this.protection = protection;
        this.ecsTrusted = CidrSet.of(ecsTrusted);
        this.nsid = nsid.getBytes(StandardCharsets.UTF_8);
        this.keepaliveTenths = (int) Math.min(tcpIdle.toMillis() / 100, 0xffff);
    }

    /** Returns the protection against spoofed queries and floods of queries. */
    public Protection protection() {
        return protection;
    }

    ServerIdentity identity() {
        return identity;
    }

    /** Whether the client subnet (ECS) sent by a resolver is trusted. */
    boolean trusts(Client resolver) {
        int length = resolver.length();
        return length > 0
                && ecsTrusted.contains(
                        IpAddress.high(resolver.bytes(), length), IpAddress.low(resolver.bytes(), length));
    }

    /** Sets those EDNS options of a response that do not depend on the question. */
    public void describe(EdnsResponse opt, Transport transport) {
        opt.nsid(nsid);
        if (transport.hasKeepalive()) {
            opt.keepalive(keepaliveTenths);
        }
        if (transport.isEncrypted()) {
            opt.pad(Wire.MAX_MESSAGE_BYTES);
        }
    }
}
