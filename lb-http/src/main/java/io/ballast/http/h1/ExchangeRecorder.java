package io.ballast.http.h1;

import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.ExchangeTimes;
import io.ballast.http.exchange.Failure;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.log.AccessLog;
import io.ballast.http.log.LoggedExchange;
import io.ballast.http.log.LoggedField;
import io.ballast.http.net.Worker;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Notes what becomes of a connection's exchanges for the access log: the request's texts as soon as they are known, since
 * its head is gone later; the rest when the exchange ends. Event-loop confined; does nothing if there is no log.
 */
final class ExchangeRecorder {

    private static final String OK = "ok";
    private static final byte[] REFERER = Octets.ascii("referer");
    private static final byte[] USER_AGENT = Octets.ascii("user-agent");

    private final @Nullable LoggedExchange facts;
    private final Worker worker;
    private final Counters.Shard<ListenerCounter> counters;
    private final ServedRequest served;
    private final ClientOutput output;
    private final ClientAddress client;
    private final ExchangeEdits edits;
    private final @Nullable AccessLog log;

    private @Nullable Exchange exchange;
    private boolean open;
    private boolean headBegun;
    private long headBegunNanos;
    private long bytesOutBefore;
    private long headBytesIn;

    ExchangeRecorder(
            @Nullable AccessLog log,
            Worker worker,
            Counters.Shard<ListenerCounter> counters,
            ServedRequest served,
            ClientOutput output,
            ClientAddress client,
            ExchangeEdits edits) {
        this.log = log;
        this.facts = log == null ? null : new LoggedExchange();
        this.worker = worker;
        this.counters = counters;
        this.served = served;
        this.output = output;
        this.client = client;
        this.edits = edits;
    }

    /** The first octets of a head came, but not all of it. */
    void headBegins() {
        headBegun = true;
        headBegunNanos = worker.now();
    }

    /** A head is complete and good. */
    void begin(RequestScanner request) {
        LoggedExchange noted = facts;
        if (noted == null) {
            return;
        }
        open(noted);
        headBytesIn = request.end;
        noted.minorVersion = request.minorVersion;
        byte[] bytes = request.bytes;
        noted.keep(LoggedField.METHOD, bytes, 0, request.methodEnd);
        noted.keep(LoggedField.TARGET, bytes, request.methodEnd + 1, request.targetEnd);
        noted.keep(LoggedField.HOST, bytes, request.authorityStart, request.authorityEnd);
        for (int i = 0; i < request.count; i++) {
            if (request.names[i] == null) {
                keepIfLogged(noted, request, i);
            }
        }
    }

    private static void keepIfLogged(LoggedExchange noted, RequestScanner request, int line) {
        int from = request.lineStart[line];
        int to = request.nameEnd[line];
        LoggedField field = Octets.equalsIgnoreCase(request.bytes, from, to, USER_AGENT)
                ? LoggedField.USER_AGENT
                : Octets.equalsIgnoreCase(request.bytes, from, to, REFERER) ? LoggedField.REFERER : null;
        if (field != null) {
            noted.keep(field, request.bytes, request.valueStart[line], request.valueEnd[line]);
        }
    }

    /** A head is at fault or was not completed in time: keeps what its first line seems to say. */
    void beginFaulty(ByteBuf head) {
        LoggedExchange noted = facts;
        if (noted == null) {
            return;
        }
        open(noted);
        headBytesIn = head.readableBytes();
        int most = LoggedField.METHOD.mostBytes() + LoggedField.TARGET.mostBytes() + 2;
        byte[] line = new byte[Math.min(head.readableBytes(), most)]; // a request that ends the connection
        head.getBytes(head.readerIndex(), line);
        int methodEnd = endOfWord(line, 0);
        noted.keep(LoggedField.METHOD, line, 0, methodEnd);
        if (methodEnd < line.length && line[methodEnd] == Octets.SPACE) {
            noted.keep(LoggedField.TARGET, line, methodEnd + 1, endOfWord(line, methodEnd + 1));
        }
    }

    private static int endOfWord(byte[] line, int from) {
        int end = from;
        while (end < line.length && line[end] != Octets.SPACE && line[end] != Octets.CR && line[end] != Octets.LF) {
            end++;
        }
        return end;
    }

    private void open(LoggedExchange noted) {
        long now = worker.now();
        noted.start(headBegun ? headBegunNanos : now);
        noted.headNanos = now - noted.startNanos;
        headBegun = false;
        exchange = null;
        open = true;
        bytesOutBefore = output.queuedBytes();
        served.status = 0;
        served.responseHeadBytes = 0;
    }

    /** The request goes to a backend. */
    void balance(Exchange serving) {
        exchange = serving;
    }

    /** The exchange is over. Does nothing if it was before. */
    void end(@Nullable Failure failure) {
        LoggedExchange noted = facts;
        AccessLog target = log;
        if (noted == null || target == null || !open) {
            return;
        }
        open = false;
        noted.status = served.status;
        noted.bytesIn = headBytesIn + served.body.taken();
        noted.bytesOut = output.queuedBytes() - bytesOutBefore;
        noted.bodyBytesOut = noted.bytesOut - served.responseHeadBytes;
        noted.totalNanos = worker.now() - noted.startNanos;
        noted.keep(LoggedField.CLIENT, client.text(), 0, client.textLength());
        noted.keep(LoggedField.REQUEST_ID, edits.id().text(), 0, edits.id().length());
        noted.keep(LoggedField.END, failure == null ? OK : failure.label());
        if (exchange != null) {
            noteBackend(noted, exchange.times());
        }
        if (!target.offer(worker.index(), noted)) {
            counters.increment(ListenerCounter.ACCESS_LOG_DROPPED);
        }
    }

    private static void noteBackend(LoggedExchange noted, ExchangeTimes times) {
        noted.attempts = times.attempts();
        noted.queueNanos = times.queueNanos();
        noted.connectNanos = times.connectNanos();
        noted.firstByteNanos = times.firstByteNanos();
        byte[] address = times.backendAddress();
        noted.keep(LoggedField.BACKEND, address, 0, address.length);
    }
}
