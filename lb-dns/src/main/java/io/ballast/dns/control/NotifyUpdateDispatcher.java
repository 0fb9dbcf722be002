package io.ballast.dns.control;

import io.ballast.core.stats.Counters;
import io.ballast.dns.answer.ActiveAnswerConfig;
import io.ballast.dns.answer.AnswerResult;
import io.ballast.dns.answer.Answerer;
import io.ballast.dns.answer.ControlMessages;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.answer.data.Client;
import io.ballast.dns.forward.Deferral;
import io.ballast.dns.forward.ReplyPath;
import io.ballast.dns.querylog.QueryRecorder;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.Wire;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.Message;
import org.xbill.DNS.Opcode;

/**
 * Dispatches control messages to handlers, one at a time on a separate thread. At most {@value #MAX_WAITING}
 * messages wait for this thread.
 *
 * <p>Thread safety: {@link #controlMessages} and its result may be called from any thread; the rest is
 * confined to the handling thread.
 */
public final class NotifyUpdateDispatcher {

    static final int MAX_WAITING = 256;

    private static final Logger LOG = LoggerFactory.getLogger(NotifyUpdateDispatcher.class);
    private static final AtomicBoolean DEFECT_LOGGED = new AtomicBoolean();

    private final Executor executor;
    private final Counters.Shard<DnsCounter> counters;
    /** Answers messages that no handler accepts. */
    private final Answerer answerer;

    private final byte[] out = new byte[Wire.MAX_MESSAGE_BYTES];
    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * @param executor executor that runs one task at a time
     * @param active configuration for messages that no handler accepts
     * @param counters the executor's shard
     * @param recorder the executor's query log recorder; null if nothing is logged
     */
    public NotifyUpdateDispatcher(
            Executor executor,
            ActiveAnswerConfig active,
            Counters.Shard<DnsCounter> counters,
            SplittableRandom random,
            @Nullable QueryRecorder recorder) {
        this.executor = executor;
        this.counters = counters;
        this.answerer = new Answerer(active, counters, random, recorder);
    }

    /** Returns the entry point for messages, with the keys and handlers of a configuration. */
    public ControlMessages controlMessages(TsigKeys keys, List<ControlHandler> handlers) {
        List<ControlHandler> all = List.copyOf(handlers);
        return (message, length, client, transport, deferral) ->
                accept(message, length, client, transport, deferral, keys, all);
    }

    private boolean accept(
            byte[] message,
            int length,
            Client client,
            Transport transport,
            Deferral deferral,
            TsigKeys keys,
            List<ControlHandler> handlers) {
        if (waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            return false;
        }
        byte[] wire = Arrays.copyOf(message, length);
        Client sender = new Client();
        sender.copy(client);
        ReplyPath path = deferral.defer();
        executor.execute(() -> {
            waiting.decrementAndGet();
            handle(wire, sender, transport, path, keys, handlers);
        });
        return true;
    }

    private void handle(
            byte[] wire,
            Client client,
            Transport transport,
            ReplyPath path,
            TsigKeys keys,
            List<ControlHandler> handlers) {
        Message message;
        try {
            message = new Message(wire);
        } catch (IOException e) {
            counters.increment(DnsCounter.MALFORMED);
            send(path, headerOnly(wire, Rcode.FORMERR));
            return;
        }
        TsigSession signature = TsigSession.of(message, wire, keys);
        ControlRequest request = new ControlRequest(this, wire, message, signature, client, transport, path);
        try {
            if (signature.error() != Rcode.NOERROR) {
                counters.increment(DnsCounter.CONTROL_UNSIGNED);
                request.refuseSignature();
            } else if (request.hasUnsupportedEdns()) {
                request.refuseEdns();
            } else if (!isHandled(request, handlers)) {
                answerAsQuery(request);
            }
        } catch (RuntimeException e) {
            countFailure(e);
            if (!request.isAnswered()) {
                send(path, headerOnly(wire, Rcode.SERVFAIL));
            }
        }
    }

    private static boolean isHandled(ControlRequest request, List<ControlHandler> handlers) {
        return switch (request.message().getHeader().getOpcode()) {
            case Opcode.NOTIFY -> handlers.stream().anyMatch(each -> each.onNotify(request));
            case Opcode.UPDATE -> handlers.stream().anyMatch(each -> each.onUpdate(request));
            default -> RequestTypes.isTransfer(request) && handlers.stream().anyMatch(each -> each.onTransfer(request));
        };
    }

    private void answerAsQuery(ControlRequest request) {
        ReplyPath path = request.signingPath();
        byte[] wire = request.wire();
        AnswerResult result = answerer.answerWithoutControl(
                wire, wire.length, request.sender(), out, request.transport(), () -> path);
        switch (result) {
            case RESPONSE -> path.send(out, answerer.responseLength());
            // Respond with SERVFAIL, so that the client does not have to wait for its timeout.
            case NO_RESPONSE -> send(path, headerOnly(wire, Rcode.SERVFAIL));
            case DEFERRED -> {} // the resolver sends the response over the reply path
        }
    }

    private void send(ReplyPath path, byte[] response) {
        count(response[3] & 0x0f);
        path.send(response, response.length);
    }

    private static byte[] headerOnly(byte[] wire, int rcode) {
        byte[] header = Arrays.copyOf(wire, Wire.HEADER_BYTES);
        header[2] = (byte) ((header[2] & 0x79) | 0x80);
        header[3] = (byte) rcode;
        Arrays.fill(header, 4, Wire.HEADER_BYTES, (byte) 0);
        return header;
    }

    /** Counts a response by its code. May be called from any thread. */
    void count(int rcode) {
        executor.execute(() -> counters.increment(DnsCounter.ofRcode(rcode)));
    }

    /** Counts an unexpected exception; only the first one is logged. */
    private void countFailure(RuntimeException cause) {
        counters.increment(DnsCounter.ERRORS);
        if (DEFECT_LOGGED.compareAndSet(false, true)) {
            LOG.error("internal error while handling a DNS message; further errors are only counted", cause);
        }
    }
}
