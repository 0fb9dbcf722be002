package io.ballast.http.forwarding;

import io.ballast.http.config.Forwarding;
import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.MajorVersion;
import io.ballast.http.head.RequestScanner;
import io.netty.buffer.ByteBuf;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the headers that identify the client of a connection to backends. Trusted headers of the peer are {@linkplain
 * ForwardingHeaderAppender appended to}; all other headers are replaced by {@linkplain LocalForwarding the balancer's
 * own view}. Event-loop confined.
 */
public final class ForwardingHeaders {

    /** Placeholder for an unknown address. */
    static final String UNKNOWN = "unknown";

    private static final byte[] HOST = ByteClasses.ascii("X-Forwarded-Host: ");
    private static final byte[] VIA_1_0 = ByteClasses.ascii("Via: 1.0 ballast\r\n");
    private static final byte[] VIA_1_1 = ByteClasses.ascii("Via: 1.1 ballast\r\n");
    private static final byte[] VIA_2 = ByteClasses.ascii("Via: 2 ballast\r\n");
    private static final byte[] VIA_3 = ByteClasses.ascii("Via: 3 ballast\r\n");
    private static final int END_OF_LINE = 0x0d0a;

    private final PeerPolicies policies;
    private final boolean sendsVia;
    private final MajorVersion version;
    /** The balancer's own values of all headers whose policy is not {@code off}. */
    private final LocalForwarding own;
    /**
     * The balancer's own values of the headers with policy {@code overwrite}, if other headers have policy {@code
     * append}; otherwise null, because {@link #own} has the same values.
     */
    private final @Nullable LocalForwarding overwritten;

    private final @Nullable ForwardingHeaderAppender appended;

    /**
     * Prepares the forwarding headers for the requests of one client connection.
     *
     * @param address the peer's address, without a zone; null if it has none
     * @param behind finds the client if the peer is a trusted proxy
     */
    ForwardingHeaders(
            ForwardingRules rules,
            PeerConnection connection,
            @Nullable String address,
            boolean isIpv6,
            @Nullable ForwardedClient behind) {
        this.policies = rules.policies(behind != null);
        this.sendsVia = rules.headers().contains(ForwardingHeader.VIA) && !policies.isOff();
        this.version = connection.version();
        Set<ForwardingHeader> replacing = policies.headersWith(Forwarding.OVERWRITE, rules.headers());
        if (policies.appends()) {
            Set<ForwardingHeader> continuing = policies.headersWith(Forwarding.APPEND, rules.headers());
            this.appended = new ForwardingHeaderAppender(policies, continuing, address, isIpv6);
            this.overwritten = new LocalForwarding(replacing, connection, address, isIpv6, behind);
            Set<ForwardingHeader> both = EnumSet.copyOf(continuing);
            both.addAll(replacing);
            this.own = new LocalForwarding(both, connection, address, isIpv6, behind);
        } else {
            this.appended = null;
            this.overwritten = null;
            this.own = new LocalForwarding(replacing, connection, address, isIpv6, behind);
        }
    }

    /** Formats an address as a node of RFC 7239 section 6. */
    static String node(@Nullable String address, boolean isIpv6) {
        if (address == null) {
            return UNKNOWN;
        }
        return isIpv6 ? "\"[" + address + "]\"" : address;
    }

    static void writeHost(byte[] source, int from, int to, ByteBuf target) {
        target.writeBytes(HOST).writeBytes(source, from, to - from).writeShort(END_OF_LINE);
    }

    /** The policies for the peer's forwarding headers. */
    public PeerPolicies policies() {
        return policies;
    }

    /** An upper bound on the number of bytes that {@link #write} appends. */
    public int maxBytes(RequestScanner request) {
        int ownBytes = own.maxBytes(request) + VIA_1_1.length;
        return policies.appends() ? 2 * (ownBytes + request.end) : ownBytes;
    }

    public void write(RequestScanner request, ByteBuf target) {
        if (policies.isOff()) {
            return;
        }
        if (sendsVia) {
            target.writeBytes(
                    switch (version) {
                        case HTTP_1 -> request.minorVersion == 0 ? VIA_1_0 : VIA_1_1;
                        case HTTP_2 -> VIA_2;
                        case HTTP_3 -> VIA_3;
                    });
        }
        if (appended != null && overwritten != null && request.hasForwarding && appended.read(request)) {
            appended.write(request, target);
            overwritten.write(request, target);
        } else {
            own.write(request, target);
        }
    }
}
