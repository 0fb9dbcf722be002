package io.ballast.http.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.header.HostHeader;
import io.ballast.core.net.CidrSet;
import io.ballast.core.testing.Backends;
import io.ballast.http.config.Forwarding;
import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.config.ForwardingPolicies;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.forwarding.ForwardingRules;
import io.ballast.http.forwarding.PeerConnection;
import io.ballast.http.h1.wire.Heads;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.MajorVersion;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.header.RouteHeaderEdits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Composes the heads that {@link RequestHeadWriter} sends to a backend. */
final class WrittenHead {

    static final HostHeader KEEP = new HostHeader.Keep();

    private WrittenHead() {}

    static String head(String... lines) {
        return String.join("\r\n", lines) + "\r\n\r\n";
    }

    static String write(String head) {
        return write(head, Forwarding.OFF, KEEP, "192.0.2.1");
    }

    static String write(String head, Forwarding forwarding, HostHeader host, String client) {
        return write(head, forwarding, RouteHeaderEdits.compile(List.of(), host), client);
    }

    static String write(String head, Forwarding forwarding, Set<ForwardingHeader> headers) {
        return write(head, forwarding, headers, RouteHeaderEdits.NONE, "192.0.2.1");
    }

    static String write(String head, Forwarding forwarding, RouteHeaderEdits edits, String client) {
        return write(head, forwarding, EnumSet.allOf(ForwardingHeader.class), edits, client);
    }

    static ForwardingPolicies policies(Map<ForwardingHeader, Forwarding> named) {
        return new ForwardingPolicies(Forwarding.OVERWRITE, named);
    }

    static String write(String head, ForwardingPolicies policies) {
        return write(
                head,
                policies,
                EnumSet.allOf(ForwardingHeader.class),
                RouteHeaderEdits.NONE,
                connection("192.0.2.1", /* http2= */ false),
                CidrSet.EMPTY);
    }

    static String write(
            String head, Forwarding forwarding, Set<ForwardingHeader> headers, RouteHeaderEdits edits, String client) {
        return write(
                head,
                ForwardingPolicies.of(forwarding),
                headers,
                edits,
                connection(client, /* http2= */ false),
                CidrSet.EMPTY);
    }

    static PeerConnection connection(String client, boolean http2) {
        return new PeerConnection(
                new InetSocketAddress(address(client), 5000),
                /* localPort= */ 81,
                /* secure= */ false,
                http2 ? MajorVersion.HTTP_2 : MajorVersion.HTTP_1);
    }

    static String write(
            String head,
            ForwardingPolicies policies,
            Set<ForwardingHeader> headers,
            RouteHeaderEdits edits,
            PeerConnection connection,
            CidrSet trusted) {
        RequestScanner request = Heads.request(head);
        assertThat(request.fault).as(head).isNull();
        ClientAddress client = new ClientAddress(connection, new ForwardingRules(policies, headers, trusted));
        client.read(request);
        ByteBuf written = new RequestHeadWriter()
                .write(
                        request,
                        client,
                        edits,
                        (variable, target) -> target.append(ByteClasses.ascii("<" + variable.label() + ">")),
                        Backends.backend(0),
                        /* bodyBytes= */ 0,
                        UnpooledByteBufAllocator.DEFAULT);
        try {
            return written.toString(StandardCharsets.ISO_8859_1);
        } finally {
            written.release();
        }
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
