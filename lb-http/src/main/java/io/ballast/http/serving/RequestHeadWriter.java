package io.ballast.http.serving;

import io.ballast.core.backend.Backend;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.forwarding.ForwardingHeaders;
import io.ballast.http.forwarding.PeerPolicies;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.HeaderName;
import io.ballast.http.head.RequestMethod;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.header.CompiledHeaderChanges;
import io.ballast.http.header.HeaderVariables;
import io.ballast.http.header.RouteHeaderEdits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;

/**
 * Composes the head for a backend from the client's head. It keeps the order and spelling of the lines,
 * removes hop-by-hop lines, and adds the lines that identify the client. Event-loop confined.
 */
public final class RequestHeadWriter {

    private static final byte[] ROOT = ByteClasses.ascii("/");
    private static final byte[] ASTERISK = ByteClasses.ascii("*");
    private static final byte[] VERSION = ByteClasses.ascii(" HTTP/1.1\r\n");
    private static final byte[] HOST = ByteClasses.ascii("Host: ");
    private static final byte[] CONNECTION_TE = ByteClasses.ascii("Connection: TE\r\n");
    private static final byte[] UPGRADE = ByteClasses.ascii("Connection: Upgrade\r\nUpgrade: ");
    private static final byte[] CRLF = ByteClasses.ascii("\r\n");

    private final ExcludedRanges excluded = new ExcludedRanges();

    /** Whether the head keeps {@code TE}, which must be listed in {@code Connection} (RFC 9110 section 10.1.4). */
    private boolean keepsTe;

    private final ByteAppender lines = new ByteAppender();

    /**
     * Returns a new buffer with the head for {@code backend} and room for {@code bodyBytes} more, owned by the caller.
     */
    public ByteBuf write(
            RequestScanner request,
            ClientAddress client,
            RouteHeaderEdits edits,
            HeaderVariables variables,
            Backend backend,
            int bodyBytes,
            ByteBufAllocator allocator) {
        ForwardingHeaders forwarding = client.forwarding();
        boolean keepsHost = edits.keepsHost() && !request.absoluteTarget && request.hostLine >= 0;
        excludeLines(request, forwarding.policies(), keepsHost, edits);
        lines.clear();
        if (edits.request().appendsAny()) {
            edits.request().append(variables, lines);
        }
        int pathBytes = request.rewrittenTarget == null ? 0 : request.rewrittenTarget.length();
        int max = request.end + pathBytes + forwarding.maxBytes(request) + lines.length() + 512 + bodyBytes;
        ByteBuf target = allocator.directBuffer(max);
        if (request.minorVersion == 1 && !request.absoluteTarget && request.rewrittenTarget == null) {
            excluded.write(request.bytes, 0, request.end - 2, target);
        } else {
            writeRequestLine(request, target);
            excluded.write(request.bytes, request.fieldsStart, request.end - 2, target);
        }
        if (!keepsHost) {
            writeHost(request, edits, backend, target);
        }
        if (request.upgrade != null) {
            target.writeBytes(UPGRADE);
            target.writeBytes(request.upgrade.bytes());
            target.writeBytes(CRLF);
        } else if (keepsTe) {
            target.writeBytes(CONNECTION_TE);
        }
        forwarding.write(request, target);
        target.writeBytes(lines.bytes(), 0, lines.length());
        target.writeBytes(CRLF);
        return target;
    }

    private void excludeLines(
            RequestScanner request, PeerPolicies forwarding, boolean keepsHost, RouteHeaderEdits all) {
        CompiledHeaderChanges edits = all.request();
        excluded.reset();
        keepsTe = false;
        boolean cutsForwarding = request.hasForwarding && !forwarding.isOff();
        boolean checksUnderscores = request.hasUnderscore || edits.hasUnderscoreName();
        if (!request.hasHopByHop
                && !cutsForwarding
                && keepsHost
                && !edits.removesAny()
                && !checksUnderscores
                && !request.hasIrregular
                && request.removedHeaders == null) {
            return;
        }
        for (int i = 0; i < request.count; i++) {
            HeaderName name = request.names[i];
            boolean cut =
                    switch (name == null ? HeaderName.Kind.END_TO_END : name.kind) {
                        case HOP_BY_HOP -> !keepsLine(request, i);
                        case FORWARDING -> forwarding.removes(name);
                        case PROTECTED -> name == HeaderName.HOST && !keepsHost;
                        case END_TO_END ->
                            (request.hasConnectionOptions && request.isConnectionOption(i))
                                    || edits.removes(request.bytes, request.lineStart[i], request.nameEnd[i])
                                    || isRemovedByPolicy(request, i)
                                    || (checksUnderscores && isRemovedUnderscoreVariant(request, i, forwarding, all));
                    };
            if (cut) {
                excluded.add(request.lineStart[i], request.lineLimit(i));
            } else if (request.hasIrregular && name != null) {
                request.excludeIrregular(i, excluded);
            }
        }
    }

    private static boolean isRemovedByPolicy(RequestScanner request, int line) {
        List<byte[]> removed = request.removedHeaders;
        if (removed == null) {
            return false;
        }
        for (byte[] name : removed) {
            if (ByteClasses.equalsIgnoreUnderscores(
                    request.bytes, request.lineStart[line], request.nameEnd[line], name)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a header name with an underscore must be removed. A backend that reads underscores as hyphens would
     * mistake it for a header that Ballast sets, removes or checks. The configuration may also drop all such names.
     */
    private static boolean isRemovedUnderscoreVariant(
            RequestScanner request, int line, PeerPolicies forwarding, RouteHeaderEdits edits) {
        int from = request.lineStart[line];
        int to = request.nameEnd[line];
        if (edits.request().isUnderscoreVariant(request.bytes, from, to)) {
            return true;
        }
        if (!ByteClasses.contains(request.bytes, from, to, (byte) '_')) {
            return false;
        }
        HeaderName twin = HeaderName.ofUnderscoreVariant(request.bytes, from, to);
        boolean isPassed =
                twin == null || (twin.kind == HeaderName.Kind.FORWARDING && forwarding.forwardsUnchanged(twin));
        return edits.dropsUnderscores() || !isPassed;
    }

    /**
     * Whether to keep a hop-by-hop header line. Only {@code TE: trailers} is kept, and only if the request has
     * no upgrade. In this case, the balancer also writes the line {@code Connection: TE}.
     */
    private boolean keepsLine(RequestScanner request, int line) {
        boolean keep = request.upgrade == null && request.isTeTrailers(line);
        keepsTe |= keep;
        return keep;
    }

    /**
     * Writes the request line in origin form and HTTP/1.1, regardless of the client's form (RFC 9112 section 3.2.2).
     */
    private static void writeRequestLine(RequestScanner request, ByteBuf target) {
        target.writeBytes(request.bytes, 0, request.methodEnd + 1);
        if (request.rewrittenTarget != null) {
            target.writeBytes(request.rewrittenTarget.bytes(), 0, request.rewrittenTarget.length());
            target.writeBytes(VERSION);
            return;
        }
        if (request.pathStart == request.pathEnd) {
            // RFC 9112 section 3.2.4: OPTIONS without a path refers to the whole server.
            target.writeBytes(request.method == RequestMethod.OPTIONS ? ASTERISK : ROOT);
        } else if (request.bytes[request.pathStart] == '?') {
            target.writeBytes(ROOT);
        }
        target.writeBytes(request.bytes, request.pathStart, request.pathEnd - request.pathStart);
        target.writeBytes(VERSION);
    }

    private static void writeHost(RequestScanner request, RouteHeaderEdits edits, Backend backend, ByteBuf target) {
        target.writeBytes(HOST);
        boolean named = request.authorityEnd > request.authorityStart;
        byte[] fixed = edits.fixedHost();
        if (fixed != null) {
            target.writeBytes(fixed);
        } else if (edits.keepsHost() && named) {
            target.writeBytes(request.bytes, request.authorityStart, request.authorityEnd - request.authorityStart);
        } else {
            target.writeBytes(backend.authorityBytes());
        }
        target.writeBytes(CRLF);
    }
}
