package io.ballast.http.multiplex;

import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.FieldScanner;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.header.CompiledHeaderChanges;
import io.ballast.http.serving.HeaderContext;
import io.ballast.http.serving.RequestState;
import java.util.Arrays;

/** Sends backend response heads to the client of a stream. Event-loop confined. */
final class ResponseHeadSender {

    private static final byte[] CONTINUE = ByteClasses.ascii("HTTP/1.1 100 Continue\r\n\r\n");

    private final MultiplexLoop loop;
    private final Counters.Shard<ListenerCounter> counters;
    private final RequestState requestState;
    private final HeaderContext edits;
    private final ResponseStream response;
    private final StreamDeadline deadline;

    ResponseHeadSender(
            MultiplexedConnection connection,
            RequestState served,
            HeaderContext edits,
            ResponseStream response,
            StreamDeadline deadline) {
        this.loop = connection.loop();
        this.counters = connection.listener().counters().shard(loop.worker.index());
        this.requestState = served;
        this.edits = edits;
        this.response = response;
        this.deadline = deadline;
    }

    /** Sends an informational head; another head follows. */
    void sendInformational(ResponseScanner head) {
        counters.increment(ListenerCounter.RESPONSES_1XX);
        loop.encoder.encode(head, CompiledHeaderChanges.NONE, edits, loop.worker.date(), response.fields());
        response.sendInformational();
    }

    /** Asks the client to send the body. */
    void sendContinue() {
        ResponseScanner head = new ResponseScanner();
        byte[] readable = Arrays.copyOf(CONTINUE, CONTINUE.length + FieldScanner.SLACK);
        head.scan(readable, CONTINUE.length, new HeadLimits(CONTINUE.length, 0, CONTINUE.length, 0));
        sendInformational(head);
    }

    /** Sends the final head; the request cannot be retried afterwards. */
    void sendFinal(ResponseScanner head, BodyFraming framing) {
        ResponseScanner scanner = head;
        counters.increment(ListenerCounter.ofStatus(scanner.status()));
        loop.encoder.encode(scanner, edits.response(), edits, loop.worker.date(), response.fields());
        send(scanner.status(), framing, scanner.contentLength);
    }

    /** Sends a success response, the equivalent of a protocol switch with status 101. */
    void sendProtocolSwitch(ResponseScanner head) {
        counters.increment(ListenerCounter.RESPONSES_2XX);
        loop.encoder.encodeSwitch(head, edits.response(), edits, loop.worker.date(), response.fields());
        send(ResponseHeadEncoder.SUCCESS, BodyFraming.STREAM, Long.MAX_VALUE);
    }

    private void send(int status, BodyFraming framing, long length) {
        requestState.release();
        requestState.answer(status);
        response.head(framing, length);
        requestState.setResponseHeadBytes((int) response.sentBytes());
        deadline.responseStarted();
    }
}
