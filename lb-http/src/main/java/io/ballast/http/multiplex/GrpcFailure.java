package io.ballast.http.multiplex;

import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.FieldOutput;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.policy.DirectResponse;
import io.ballast.http.policy.LocalResponse;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.Refusal;
import io.ballast.http.relay.Failure;

/**
 * Composes the response to a gRPC call that no backend answered: trailers only, with a gRPC status (<a
 * href="https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md">gRPC over HTTP/2</a>).
 */
final class GrpcFailure {

    /** HTTP status of all gRPC responses; the trailers contain the result of the call. */
    static final int STATUS = 200;

    private static final byte[] CONTENT_TYPE = ByteClasses.ascii("content-type");
    private static final byte[] GRPC = ByteClasses.ascii("application/grpc");
    private static final byte[] GRPC_STATUS = ByteClasses.ascii("grpc-status");
    private static final byte[] GRPC_MESSAGE = ByteClasses.ascii("grpc-message");

    private static final byte[] DEADLINE_EXCEEDED = ByteClasses.ascii("4");
    private static final byte[] PERMISSION_DENIED = ByteClasses.ascii("7");
    private static final byte[] RESOURCE_EXHAUSTED = ByteClasses.ascii("8");
    private static final byte[] UNIMPLEMENTED = ByteClasses.ascii("12");
    private static final byte[] INTERNAL = ByteClasses.ascii("13");
    private static final byte[] UNAVAILABLE = ByteClasses.ascii("14");
    private static final byte[] UNAUTHENTICATED = ByteClasses.ascii("16");

    private GrpcFailure() {}

    static boolean isGrpc(RequestScanner request) {
        for (int i = 0; i < request.count; i++) {
            if (ByteClasses.equalsIgnoreCase(request.bytes, request.lineStart[i], request.nameEnd[i], CONTENT_TYPE)) {
                int end = request.valueStart[i] + GRPC.length;
                return end <= request.valueEnd[i]
                        && ByteClasses.equalsIgnoreCase(request.bytes, request.valueStart[i], end, GRPC)
                        && (end == request.valueEnd[i] || "+;".indexOf(request.bytes[end]) >= 0);
            }
        }
        return false;
    }

    /** Writes the complete gRPC error response for a failure into {@code fields}. */
    static void compose(Failure failure, FieldOutput fields) {
        compose(status(failure), failure.label(), fields);
    }

    /** Composes the whole response for a request that a policy has answered. */
    static void compose(PolicyDecision decision, FieldOutput fields) {
        if (decision instanceof Refusal refusal) {
            compose(status(refusal.status()), refusal.reason(), fields);
        } else if (decision instanceof DirectResponse response) {
            compose(status(response.status()), response.reason(), fields);
        } else if (decision instanceof LocalResponse response) {
            compose(UNAVAILABLE, response.reason(), fields);
        } else {
            throw new IllegalArgumentException("not a response: " + decision);
        }
    }

    private static void compose(byte[] status, String message, FieldOutput fields) {
        fields.clear();
        fields.status(STATUS);
        field(CONTENT_TYPE, GRPC, fields);
        field(GRPC_STATUS, status, fields);
        field(GRPC_MESSAGE, ByteClasses.ascii(message), fields);
    }

    private static byte[] status(Failure failure) {
        return switch (failure) {
            case EXCHANGE_TIMEOUT, RESPONSE_TIMEOUT -> DEADLINE_EXCEEDED;
            case REQUEST_TOO_LARGE -> RESOURCE_EXHAUSTED;
            case NO_ROUTE -> UNIMPLEMENTED;
            case BAD_REQUEST, REQUEST_BODY_TIMEOUT, REQUEST_BODY_SLOW -> INTERNAL;
            default -> UNAVAILABLE;
        };
    }

    /**
     * The gRPC code that clients derive from an HTTP status. Only 429 has another code, which states that a limit was
     * exceeded.
     */
    private static byte[] status(int httpStatus) {
        return switch (httpStatus) {
            case 400 -> INTERNAL;
            case 401 -> UNAUTHENTICATED;
            case 403 -> PERMISSION_DENIED;
            case 404 -> UNIMPLEMENTED;
            case 429 -> RESOURCE_EXHAUSTED;
            default -> UNAVAILABLE;
        };
    }

    private static void field(byte[] name, byte[] value, FieldOutput fields) {
        fields.field(name, 0, name.length, value, 0, value.length);
    }
}
