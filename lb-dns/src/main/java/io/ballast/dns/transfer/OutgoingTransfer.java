package io.ballast.dns.transfer;

import io.ballast.dns.control.ControlRequest;
import io.ballast.dns.forward.NextPart;
import io.ballast.dns.wire.Rcode;
import java.util.Iterator;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transfer in progress: messages are sent one after the other, and each is created when the client can
 * receive it.
 *
 * <p>Thread safety: confined to the handling thread; the event loop only calls {@link #onReady} and {@link
 * #onClosed}.
 */
final class OutgoingTransfer implements NextPart {

    private static final Logger LOG = LoggerFactory.getLogger(OutgoingTransfer.class);

    private final ControlRequest request;
    private final MessageWriter writer;
    private final Iterator<TransferredRecord> records;
    private final Executor executor;
    private final Ended endListener;
    private @Nullable TransferredRecord pending;

    /** Called once with the result of a transfer. */
    @FunctionalInterface
    interface Ended {

        /** @param whole whether the whole transfer was sent to the client */
        void onEnd(boolean whole);
    }

    /** @param executor executor that runs tasks on the thread that handles control messages */
    OutgoingTransfer(
            ControlRequest request,
            MessageWriter writer,
            Iterator<TransferredRecord> records,
            Executor executor,
            Ended ended) {
        this.request = request;
        this.writer = writer;
        this.records = records;
        this.executor = executor;
        this.endListener = ended;
    }

    void begin() {
        sendNextMessage();
    }

    private void sendNextMessage() {
        try {
            writer.begin();
            pending = writer.fill(pending, records);
        } catch (RuntimeException e) {
            endListener.onEnd(/* whole= */ false);
            request.respond(Rcode.SERVFAIL);
            LOG.error(
                    "client={} msg=\"the outgoing zone transfer is incomplete\"",
                    request.client().getHostAddress(),
                    e);
            return;
        }
        int length = writer.end();
        if (pending != null) {
            request.respondPart(writer.bytes(), length, this);
            return;
        }
        endListener.onEnd(/* whole= */ true);
        request.respond(writer.bytes(), length);
    }

    @Override
    public void onReady() {
        executor.execute(this::sendNextMessage);
    }

    @Override
    public void onClosed() {
        executor.execute(() -> endListener.onEnd(/* whole= */ false));
    }
}
