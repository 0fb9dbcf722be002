package io.ballast.http.h1.client;

import io.ballast.core.net.CidrSet;
import io.ballast.core.testing.Backends;
import io.ballast.http.config.Forwarding;
import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.config.ForwardingPolicies;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.forwarding.ForwardingRules;
import io.ballast.http.forwarding.PeerConnection;
import io.ballast.http.h1.client.ResponseHeadWriter.ClientConnectionHeader;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.MajorVersion;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.header.CompiledHeaderChanges;
import io.ballast.http.header.HeaderVariables;
import io.ballast.http.header.RouteHeaderEdits;
import io.ballast.http.serving.RequestHeadWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;

/** Rewrites scanned heads for tests. */
final class Rewriting {

    /** The {@code Host} that is added to a request without this header. */
    static final String BACKEND = Backends.backend(0).address().toString();

    /** The {@code Date} that is added to a response without this header. */
    static final byte[] DATE = ByteClasses.ascii("Sat, 21 Nov 2026 12:00:00 GMT");

    private static final HeaderVariables UNUSED = (variable, target) -> {
        throw new AssertionError(variable + ": no rule uses it");
    };

    private Rewriting() {}

    static String request(RequestScanner request, Forwarding forwarding) {
        ClientAddress client = new ClientAddress(
                new PeerConnection(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), /* port= */ 5000),
                        /* localPort= */ 81,
                        /* secure= */ false,
                        MajorVersion.HTTP_1),
                new ForwardingRules(
                        ForwardingPolicies.of(forwarding), EnumSet.allOf(ForwardingHeader.class), CidrSet.EMPTY));
        return text(new RequestHeadWriter()
                .write(
                        request,
                        client,
                        RouteHeaderEdits.NONE,
                        UNUSED,
                        Backends.backend(0),
                        /* bodyBytes= */ 0,
                        UnpooledByteBufAllocator.DEFAULT));
    }

    static String response(ResponseScanner response, ClientConnectionHeader connection) {
        ByteBuf received = UnpooledByteBufAllocator.DEFAULT.directBuffer();
        received.writeBytes(response.bytes, 0, response.end);
        return text(new ResponseHeadWriter()
                .rewrite(
                        response,
                        received,
                        connection,
                        DATE,
                        /* dropChunked= */ false,
                        CompiledHeaderChanges.NONE,
                        UNUSED,
                        UnpooledByteBufAllocator.DEFAULT));
    }

    private static String text(ByteBuf written) {
        try {
            return written.toString(StandardCharsets.ISO_8859_1);
        } finally {
            written.release();
        }
    }
}
