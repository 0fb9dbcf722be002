package io.ballast.dns.answer;

import io.ballast.core.net.Cidr;
import io.ballast.core.net.CidrSet;
import io.ballast.core.net.IpAddress;
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
 * What is the same for all answering threads of a frontend, whatever they are asked.
 *
 * <p>Thread safety: shared by all answering threads.
 */
public final class AnswerSettings {

    /** No client is limited, no cookie is answered, and the server has no name. */
    public static final AnswerSettings OPEN = new AnswerSettings(
            Protection.of(
                    new CookieConfig(/* enabled= */ false, List.of()),
                    Optional.empty(),
                    InstantSource.system(),
                    System::nanoTime),
            "",
            Duration.ZERO);

    private final Protection protection;
    private final byte[] nsid;
    private final CidrSet ecsTrusted;
    private final int keepaliveTenths;
    private final ServerIdentity identity;

    /**
     * @param nsid tells clients that ask which server answered; at most {@value EdnsResponse#MAX_NSID_BYTES} bytes in
     *     UTF-8; none if it is empty
     * @param tcpIdle how long an idle connection stays, told to clients that ask; not told if it is zero
     */
    public AnswerSettings(Protection protection, String nsid, Duration tcpIdle) {
        this(protection, nsid, tcpIdle, DnsConfig.ANYBODY, ServerIdentity.NONE);
    }

    /**
     * @param ecsTrusted resolvers that are believed when they tell the network of their client
     * @param identity what is told to clients that ask in class CH
     */
    public AnswerSettings(
            Protection protection, String nsid, Duration tcpIdle, List<Cidr> ecsTrusted, ServerIdentity identity) {
        this.identity = identity;
        this.protection = protection;
        this.ecsTrusted = CidrSet.of(ecsTrusted);
        this.nsid = nsid.getBytes(StandardCharsets.UTF_8);
        this.keepaliveTenths = (int) Math.min(tcpIdle.toMillis() / 100, 0xffff);
    }

    /** What guards against forged and endless queries. */
    public Protection protection() {
        return protection;
    }

    ServerIdentity identity() {
        return identity;
    }

    /** Whether a resolver is believed when it tells the network of its client. */
    boolean trusts(Client resolver) {
        int length = resolver.length();
        return length > 0
                && ecsTrusted.contains(
                        IpAddress.high(resolver.octets(), length), IpAddress.low(resolver.octets(), length));
    }

    /** Puts into the response's OPT record what does not depend on the question. */
    void describe(EdnsResponse opt, Transport transport) {
        opt.nsid(nsid);
        if (transport.hasKeepalive()) {
            opt.keepalive(keepaliveTenths);
        }
        if (transport.isEncrypted()) {
            opt.pad(Wire.MAX_MESSAGE_BYTES);
        }
    }
}
