package io.ballast.http.forwarding;

import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.FieldScanner;
import io.ballast.http.head.HeaderName;
import io.ballast.http.head.RequestScanner;
import io.netty.buffer.ByteBuf;

/**
 * The client data of one request, collected from all forwarding headers that a proxy sent. If a header has
 * several values, the first is used, because it comes from the proxy next to the client. Offsets refer to
 * the request's head. Event-loop confined; allocates nothing.
 */
final class ForwardedValues {

    private static final byte[] FOR = ByteClasses.ascii("for");
    private static final byte[] PROTO = ByteClasses.ascii("proto");
    private static final byte[] HOST = ByteClasses.ascii("host");

    /** Writes one list entry, which may be empty. */
    interface EntryWriter {
        void write(byte[] bytes, int from, int to, ByteBuf target);
    }

    private final ForwardedParameters parameters = new ForwardedParameters();
    private boolean hasAddresses;
    private boolean hasForwarded;
    private boolean hasProtoHeader;
    private boolean hasHostHeader;
    private int protoStart;
    private int protoEnd;
    private int hostStart;
    private int hostEnd;

    /** Reads the headers that the policies trust; returns whether the peer sent any of them. */
    boolean read(RequestScanner request, PeerPolicies policies) {
        boolean isAnySent = false;
        hasAddresses = false;
        hasForwarded = false;
        hasProtoHeader = false;
        hasHostHeader = false;
        protoEnd = protoStart;
        hostEnd = hostStart;
        for (int i = 0; i < request.count; i++) {
            HeaderName name = request.names[i];
            if (name == null || name.kind != HeaderName.Kind.FORWARDING || !policies.trusts(name)) {
                continue;
            }
            isAnySent = true;
            if (name == HeaderName.X_FORWARDED_FOR) {
                hasAddresses |= request.valueEnd[i] > request.valueStart[i];
            } else if (name == HeaderName.X_FORWARDED_PROTO) {
                hasProtoHeader = true;
                readProto(request.bytes, request.valueStart[i], firstEnd(request, i));
            } else if (name == HeaderName.X_FORWARDED_HOST) {
                hasHostHeader = true;
                readHost(request.bytes, request.valueStart[i], firstEnd(request, i));
            }
        }
        boolean trustsForwarded = policies.trusts(HeaderName.FORWARDED);
        for (int i = 0; i < request.count && trustsForwarded && !hasForwarded; i++) {
            if (request.names[i] == HeaderName.FORWARDED && request.valueEnd[i] > request.valueStart[i]) {
                hasForwarded = true;
                readFirstElement(request.bytes, request.valueStart[i], request.valueEnd[i]);
            }
        }
        return isAnySent;
    }

    private static int firstEnd(RequestScanner request, int line) {
        int end = request.valueStart[line];
        while (end < request.valueEnd[line] && request.bytes[end] != ',') {
            end++;
        }
        return end;
    }

    private void readFirstElement(byte[] bytes, int from, int to) {
        parameters.start(bytes, from, to);
        while (parameters.next() && !parameters.isUnclosed()) {
            if (parameters.hasName(PROTO) && !hasProtoHeader) {
                readProto(bytes, parameters.valueStart(), parameters.valueEnd());
            } else if (parameters.hasName(HOST) && !hasHostHeader) {
                readHost(bytes, parameters.valueStart(), parameters.valueEnd());
            }
            if (parameters.endsElement()) {
                return;
            }
        }
    }

    private void readProto(byte[] bytes, int from, int to) {
        int start = start(bytes, from, to);
        int end = end(bytes, start, to);
        boolean good = protoLength() == 0;
        for (int i = start; i < end; i++) {
            good &= ByteClasses.isToken(bytes[i]);
        }
        if (good) {
            protoStart = start;
            protoEnd = end;
        }
    }

    private void readHost(byte[] bytes, int from, int to) {
        int start = start(bytes, from, to);
        int end = end(bytes, start, to);
        boolean good = hostLength() == 0;
        for (int i = start; i < end; i++) {
            byte b = bytes[i];
            good &= ByteClasses.isHost(b) || b == ':' || b == '[' || b == ']';
        }
        if (good) {
            hostStart = start;
            hostEnd = end;
        }
    }

    /** Returns the start of the value, after any blanks and an opening quote. */
    private static int start(byte[] bytes, int from, int to) {
        int start = from;
        while (start < to && FieldScanner.isBlank(bytes[start])) {
            start++;
        }
        return start < to && bytes[start] == '"' ? start + 1 : start;
    }

    private static int end(byte[] bytes, int start, int to) {
        int end = to;
        while (end > start && FieldScanner.isBlank(bytes[end - 1])) {
            end--;
        }
        return end > start && bytes[end - 1] == '"' ? end - 1 : end;
    }

    boolean hasAddresses() {
        return hasAddresses;
    }

    boolean hasForwarded() {
        return hasForwarded;
    }

    boolean hasProtoHeader() {
        return hasProtoHeader;
    }

    boolean hasHostHeader() {
        return hasHostHeader;
    }

    int protoStart() {
        return protoStart;
    }

    /** The length of the protocol; 0 if there is no valid protocol. */
    int protoLength() {
        return protoEnd - protoStart;
    }

    int hostStart() {
        return hostStart;
    }

    /** The length of the host; 0 if there is no valid host. */
    int hostLength() {
        return hostEnd - hostStart;
    }

    /** Writes the entries of {@code X-Forwarded-For}. */
    void writeAddresses(RequestScanner request, EntryWriter writer, ByteBuf target) {
        for (int i = 0; i < request.count; i++) {
            if (request.names[i] != HeaderName.X_FORWARDED_FOR || request.valueEnd[i] == request.valueStart[i]) {
                continue;
            }
            int start = request.valueStart[i];
            for (int at = start; at <= request.valueEnd[i]; at++) {
                if (at == request.valueEnd[i] || request.bytes[at] == ',') {
                    writer.write(request.bytes, start, at, target);
                    start = at + 1;
                }
            }
        }
    }

    /**
     * Writes the nodes of {@code Forwarded}. The node is empty if an element has no node, or contains an unclosed
     * quote.
     */
    void writeNodes(RequestScanner request, EntryWriter writer, ByteBuf target) {
        for (int i = 0; i < request.count; i++) {
            if (request.names[i] != HeaderName.FORWARDED || request.valueEnd[i] == request.valueStart[i]) {
                continue;
            }
            parameters.start(request.bytes, request.valueStart[i], request.valueEnd[i]);
            int from = 0;
            int to = 0;
            while (parameters.next()) {
                if (parameters.hasName(FOR)) {
                    from = parameters.valueStart();
                    to = parameters.valueEnd();
                }
                if (parameters.endsElement()) {
                    writer.write(request.bytes, from, parameters.isUnclosed() ? from : to, target);
                    from = 0;
                    to = 0;
                }
            }
        }
    }
}
