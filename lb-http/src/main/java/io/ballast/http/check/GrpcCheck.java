package io.ballast.http.check;

import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.FirstResult;
import io.ballast.http.h2.wire.HeaderBlock;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Performs one {@code grpc.health.v1.Health/Check} call (the <a
 * href="https://github.com/grpc/grpc/blob/master/doc/health-checking.md">gRPC health checking protocol</a>). Each
 * message is a single protobuf field, encoded and decoded by hand.
 */
final class GrpcCheck implements Http2Check.Answer {

    private static final String PATH = "/grpc.health.v1.Health/Check";
    private static final int MESSAGE_HEAD = 5;
    private static final int MAX_MESSAGE = 4096;

    /**
     * The protobuf tags of the service name (field 1 of a request, a string) and of the status (field 1 of a response,
     * a varint).
     */
    private static final int SERVICE = 0x0a;

    private static final int STATUS = 0x08;

    private static final int HTTP_OK = 200;
    private static final String GRPC_OK = "0";
    private static final String[] STATUSES = {"UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"};
    private static final int SERVING = 1;

    private final FirstResult verdict;
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();

    private GrpcCheck(FirstResult verdict) {
        this.verdict = verdict;
    }

    static void run(Channel channel, HealthCheck.Grpc check, boolean secured, String hostHeader, FirstResult verdict) {
        HeaderBlock head = Http2Check.head("POST", secured, check.host().orElse(hostHeader), PATH);
        Http2Check.field(head, "content-type", "application/grpc");
        Http2Check.field(head, "te", "trailers");
        Http2Check.field(head, "user-agent", "ballast-health-check");
        Http2Check.run(channel, head, request(check.service()), new GrpcCheck(verdict));
    }

    /**
     * Encodes a request: the flag for an uncompressed message, its length, and the message. An empty service name is
     * omitted.
     */
    private static byte[] request(String service) {
        byte[] text = service.getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream field = new ByteArrayOutputStream();
        if (text.length > 0) {
            field.write(SERVICE);
            writeNumber(field, text.length);
            field.writeBytes(text);
        }
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(new byte[] {0, 0, 0, (byte) (field.size() >> 8), (byte) field.size()});
        request.writeBytes(field.toByteArray());
        return request.toByteArray();
    }

    private static void writeNumber(ByteArrayOutputStream target, int number) {
        int rest = number;
        while (rest > 0x7f) {
            target.write(0x80 | (rest & 0x7f));
            rest >>>= 7;
        }
        target.write(rest);
    }

    @Override
    public boolean fields(Http2Fields fields, boolean last) {
        int status = fields.status();
        if (status > 0 && status != HTTP_OK) {
            verdict.failed("status " + status + " (expected: 200)");
            return false;
        }
        if (last) {
            evaluate(fields.grpcStatus(), fields.grpcMessage());
        }
        return !last;
    }

    @Override
    public boolean data(ByteBuf source, int at, int length, boolean last) {
        if (last) {
            verdict.failed("not a gRPC response: it has no trailers");
            return false;
        }
        if (message.size() + length > MAX_MESSAGE) {
            verdict.failed("the gRPC message is not a health check response");
            return false;
        }
        byte[] bytes = new byte[length];
        source.getBytes(at, bytes);
        message.writeBytes(bytes);
        return true;
    }

    private void evaluate(String code, String reason) {
        if (code.isEmpty()) {
            verdict.failed("not a gRPC response: it has no grpc-status");
        } else if (!code.equals(GRPC_OK)) {
            verdict.failed("grpc-status " + code + (reason.isEmpty() ? "" : ": " + reason));
        } else {
            evaluate(servingStatus(message.toByteArray()));
        }
    }

    private void evaluate(int status) {
        String text = status < 0 || status >= STATUSES.length ? "no health status" : STATUSES[status];
        if (status == SERVING) {
            verdict.passed(text);
        } else {
            verdict.failed(text + " (expected: SERVING)");
        }
    }

    /** The status in a response message, 0 if the message is empty; -1 if it is malformed. */
    private static int servingStatus(byte[] bytes) {
        if (bytes.length < MESSAGE_HEAD || bytes[0] != 0 || bytes[4] != bytes.length - MESSAGE_HEAD) {
            return -1;
        }
        if (bytes.length == MESSAGE_HEAD) {
            return 0;
        }
        return bytes.length == MESSAGE_HEAD + 2 && bytes[MESSAGE_HEAD] == STATUS ? bytes[MESSAGE_HEAD + 1] : -1;
    }

    @Override
    public void failed(String reason) {
        verdict.failed(reason);
    }
}
