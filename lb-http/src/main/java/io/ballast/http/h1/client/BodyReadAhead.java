package io.ballast.http.h1.client;

import io.ballast.http.h1.wire.BodyCopy;
import io.ballast.http.h1.wire.BodyReader;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.net.Worker;
import io.ballast.http.policy.BodyRead;
import io.ballast.http.policy.RequestBody;
import io.ballast.http.serving.ClientDeadline;
import io.ballast.http.serving.ClientOutput;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a request for a policy, before the request is forwarded. The receive buffer keeps the head and all
 * data, so that the request can be forwarded afterwards. Event-loop confined.
 */
final class BodyReadAhead {

    private static final byte[] CONTINUE = ByteClasses.ascii("HTTP/1.1 100 Continue\r\n\r\n");

    private final Worker worker;
    private final ReceiveBuffer receiveBuffer;
    private final ClientOutput output;
    private final ClientDeadline deadline;
    private final long limit;

    private @Nullable BodyRead read;
    private @Nullable BodyCopy copy;
    /** The number of bytes of the receive buffer that were read, including the head. */
    private int position;

    /** @param limit the maximum length of a body that may be forwarded, in bytes */
    BodyReadAhead(
            Worker worker, ReceiveBuffer receiveBuffer, ClientOutput output, ClientDeadline deadline, long limit) {
        this.worker = worker;
        this.receiveBuffer = receiveBuffer;
        this.output = output;
        this.deadline = deadline;
        this.limit = limit;
    }

    /**
     * Starts to read the body. The receive buffer must begin with the head.
     *
     * @param body the framing of the body; none of its data may have been consumed
     * @return the fault of the body; null if it is valid so far
     */
    @Nullable HeadError begin(BodyRead wanted, RequestScanner head, BodyReader body) {
        if (body.isDone()) {
            wanted.result().complete(RequestBody.EMPTY);
            return null;
        }
        int max = (int) Math.min(wanted.maxBytes(), limit);
        if (wanted.needsWhole() && head.contentLength > max) {
            wanted.result().complete(RequestBody.TOO_LARGE);
            return null;
        }
        read = wanted;
        copy = new BodyCopy(body.framing(), body.framing() == BodyFraming.LENGTH ? head.contentLength : 0, max);
        position = head.end;
        if (head.hasExpect && head.minorVersion == 1 && receiveBuffer.readableBytes() == head.end) {
            output.write(worker.allocator().directBuffer(CONTINUE.length).writeBytes(CONTINUE));
            output.flush();
        }
        return proceed();
    }

    /** Whether a policy waits for more of the body. */
    boolean isActive() {
        return read != null;
    }

    /**
     * Adds received data to the receive buffer. If a policy waits for the body, reads the data; otherwise pauses
     * reading from the client. Consumes the data.
     *
     * @return the fault of the body; null if it is valid so far
     */
    @Nullable HeadError receive(ByteBuf received) {
        int bytes = received.readableBytes();
        receiveBuffer.add(received);
        if (read == null) {
            output.setReading(false);
            return null;
        }
        deadline.bodyReceived(bytes);
        return proceed();
    }

    private @Nullable HeadError proceed() {
        BodyRead wanted = read;
        BodyCopy body = copy;
        if (wanted == null || body == null) {
            return null;
        }
        ByteBuf source = receiveBuffer.bytes();
        int start = source.readerIndex();
        position = body.read(source, start + position, source.writerIndex()) - start;
        if (body.fault() != null) {
            return body.fault();
        }
        if (body.hasEnded()) {
            stop();
            output.setReading(false);
            wanted.result().complete(new RequestBody(body.bytes(), body.isComplete()));
        } else {
            output.setReading(true);
            deadline.awaitBody();
        }
        return null;
    }

    /** The fault of the body that is being read; null if there is none. */
    @Nullable HeadError fault() {
        return copy == null ? null : copy.fault();
    }

    /** Stops reading the body; does nothing if reading has already ended. */
    void stop() {
        if (read != null) {
            read = null;
            copy = null;
            deadline.expectNothing();
        }
    }
}
