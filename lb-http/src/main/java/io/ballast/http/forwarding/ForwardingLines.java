package io.ballast.http.forwarding;

import io.ballast.http.config.Forwarding;
import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.head.Octets;
import io.ballast.http.head.RequestScanner;
import io.netty.buffer.ByteBuf;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the headers that tell backends about the client of a connection. If the peer sent headers that are believed, these
 * are {@linkplain AppendedForwarding continued}; all others say {@linkplain OwnForwarding what the balancer sees}.
 * Event-loop confined.
 */
public final class ForwardingLines {

    /** Stands for an address that is not known. */
    static final String UNKNOWN = "unknown";

    private static final byte[] HOST = Octets.ascii("X-Forwarded-Host: ");
    private static final byte[] VIA_1_0 = Octets.ascii("Via: 1.0 ballast\r\n");
    private static final byte[] VIA_1_1 = Octets.ascii("Via: 1.1 ballast\r\n");
    private static final byte[] VIA_2 = Octets.ascii("Via: 2 ballast\r\n");
    private static final int END_OF_LINE = 0x0d0a;

    private final PeerPolicies policies;
    private final boolean sendsVia;
    private final boolean http2;
    /** All headers that have a policy other than {@code off}. */
    private final OwnForwarding own;
    /** The headers that are overwritten even if others are continued; null if none is ever continued. */
    private final @Nullable OwnForwarding overwritten;

    private final @Nullable AppendedForwarding appended;

    /**
     * @param address the peer's, without a zone; null if it has none
     * @param behind finds the client if the peer is a trusted proxy
     */
    ForwardingLines(
            ForwardingRules rules,
            PeerConnection connection,
            @Nullable String address,
            boolean isIpv6,
            @Nullable ForwardedClient behind) {
        this.policies = rules.policies(behind != null);
        this.sendsVia = rules.headers().contains(ForwardingHeader.VIA) && !policies.isOff();
        this.http2 = connection.http2();
        Set<ForwardingHeader> replacing = policies.with(Forwarding.OVERWRITE, rules.headers());
        if (policies.appends()) {
            Set<ForwardingHeader> continuing = policies.with(Forwarding.APPEND, rules.headers());
            this.appended = new AppendedForwarding(policies, continuing, address, isIpv6);
            this.overwritten = new OwnForwarding(replacing, connection, address, isIpv6, behind);
            Set<ForwardingHeader> both = EnumSet.copyOf(continuing);
            both.addAll(replacing);
            this.own = new OwnForwarding(both, connection, address, isIpv6, behind);
        } else {
            this.appended = null;
            this.overwritten = null;
            this.own = new OwnForwarding(replacing, connection, address, isIpv6, behind);
        }
    }

    /** An address as RFC 7239 section 6 writes it. */
    static String node(@Nullable String address, boolean isIpv6) {
        if (address == null) {
            return UNKNOWN;
        }
        return isIpv6 ? "\"[" + address + "]\"" : address;
    }

    static void writeHost(byte[] source, int from, int to, ByteBuf target) {
        target.writeBytes(HOST).writeBytes(source, from, to - from).writeShort(END_OF_LINE);
    }

    /** What happens to the headers in which the client says who it is. */
    public PeerPolicies policies() {
        return policies;
    }

    /** About how much {@link #write} appends at most. */
    public int mostBytes(RequestScanner request) {
        int ours = own.mostBytes(request) + VIA_1_1.length;
        return policies.appends() ? 2 * (ours + request.end) : ours;
    }

    public void write(RequestScanner request, ByteBuf target) {
        if (policies.isOff()) {
            return;
        }
        if (sendsVia) {
            target.writeBytes(http2 ? VIA_2 : request.minorVersion == 0 ? VIA_1_0 : VIA_1_1);
        }
        if (appended != null && overwritten != null && request.hasForwarding && appended.read(request)) {
            appended.write(request, target);
            overwritten.write(request, target);
        } else {
            own.write(request, target);
        }
    }
}
