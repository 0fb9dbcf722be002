package io.ballast.http.serving;

import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.ExchangeTimes;
import io.ballast.http.exchange.FailureStatus;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.HeaderName;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.log.AccessLog;
import io.ballast.http.log.AccessLogEntry;
import io.ballast.http.log.AccessLogField;
import io.ballast.http.net.Worker;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.relay.Failure;
import io.ballast.http.trace.RequestTrace;
import io.ballast.http.trace.TraceText;
import io.ballast.net.tls.TlsSessionInfo;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counts each request of a connection once at its start and once at its end, and collects the access log fields if
 * there is a log. Request fields are copied when the head is read, because the head is released later. The other fields
 * are set at the end of the exchange. Event-loop confined.
 */
public final class ExchangeRecorder {

    private static final int MAX_FAULTY_BYTES = AccessLogField.METHOD.maxBytes() + AccessLogField.TARGET.maxBytes() + 2;
    private static final String OK = "ok";
    private static final byte[] REFERER = ByteClasses.ascii("referer");
    private static final byte[] USER_AGENT = ByteClasses.ascii("user-agent");

    private final @Nullable AccessLogEntry logEntry;
    private final Worker worker;
    private final Counters.Shard<ListenerCounter> counters;
    private final RequestState requestState;
    private final ResponseOutput output;
    private final ClientAddress client;
    private final HeaderContext edits;
    private final Listener listener;

    private @Nullable Exchange exchange;
    private boolean open;
    private boolean headStarted;
    private long headStartNanos;
    private long bytesOutBefore;
    private long headBytesIn;
    private String reason = "";
    private boolean answeredLocally;

    public ExchangeRecorder(
            Listener listener,
            ConnectionSettings settings,
            Worker worker,
            RequestState served,
            ResponseOutput output,
            ClientAddress client,
            HeaderContext edits) {
        this.listener = listener;
        this.logEntry = settings.accessLog() == null ? null : new AccessLogEntry();
        this.worker = worker;
        this.counters = listener.counters().shard(worker.index());
        this.requestState = served;
        this.output = output;
        this.client = client;
        this.edits = edits;
    }

    /** Records that the first bytes of an incomplete head have arrived. */
    public void headBegins() {
        headStarted = true;
        headStartNanos = worker.now();
    }

    /** Records the start of a request whose head is complete and valid. */
    public void begin(RequestScanner request) {
        count();
        if (request.hasUpgrade && requestState.upgrade() == null) {
            counters.increment(ListenerCounter.UPGRADES_IGNORED);
        }
        AccessLogEntry noted = logEntry;
        if (noted == null) {
            return;
        }
        open(noted);
        headBytesIn = request.end;
        noted.version = switch (requestState.version()) {
            case HTTP_1 -> request.minorVersion;
            case HTTP_2 -> AccessLogEntry.HTTP_2;
            case HTTP_3 -> AccessLogEntry.HTTP_3;
        };
        byte[] bytes = request.bytes;
        noted.store(AccessLogField.METHOD, bytes, 0, request.methodEnd);
        noted.store(AccessLogField.TARGET, bytes, request.methodEnd + 1, request.targetEnd);
        noted.store(AccessLogField.HOST, bytes, request.authorityStart, request.authorityEnd);
        for (int i = 0; i < request.count; i++) {
            if (request.names[i] == null) {
                recordIfLogged(noted, request, i);
            } else if (request.names[i] == HeaderName.UPGRADE) {
                noted.store(AccessLogField.UPGRADE, bytes, request.valueStart[i], request.valueEnd[i]);
            }
        }
    }

    private static void recordIfLogged(AccessLogEntry noted, RequestScanner request, int line) {
        int from = request.lineStart[line];
        int to = request.nameEnd[line];
        AccessLogField field = ByteClasses.equalsIgnoreCase(request.bytes, from, to, USER_AGENT)
                ? AccessLogField.USER_AGENT
                : ByteClasses.equalsIgnoreCase(request.bytes, from, to, REFERER) ? AccessLogField.REFERER : null;
        if (field != null) {
            noted.store(field, request.bytes, request.valueStart[line], request.valueEnd[line]);
        }
    }

    /**
     * Records a request whose head is invalid or did not arrive in time, with the method and the target that its
     * first line appears to contain.
     */
    public void beginFaulty(ByteBuf head) {
        int max = Math.min(head.readableBytes(), MAX_FAULTY_BYTES);
        byte[] line = new byte[max]; // this allocates, which does not matter because the request ends the connection
        head.getBytes(head.readerIndex(), line);
        noteFaulty(line, head.readableBytes());
    }

    /** Like {@link #beginFaulty(ByteBuf)}, for a head in an array. */
    public void beginFaulty(byte[] head, int length) {
        noteFaulty(Arrays.copyOf(head, Math.min(length, MAX_FAULTY_BYTES)), length);
    }

    private void noteFaulty(byte[] line, int headBytes) {
        count();
        AccessLogEntry noted = logEntry;
        if (noted == null) {
            return;
        }
        open(noted);
        headBytesIn = headBytes;
        int methodEnd = endOfWord(line, 0);
        noted.store(AccessLogField.METHOD, line, 0, methodEnd);
        if (methodEnd < line.length && line[methodEnd] == ByteClasses.SPACE) {
            noted.store(AccessLogField.TARGET, line, methodEnd + 1, endOfWord(line, methodEnd + 1));
        }
    }

    private static int endOfWord(byte[] line, int from) {
        int end = from;
        while (end < line.length
                && line[end] != ByteClasses.SPACE
                && line[end] != ByteClasses.CR
                && line[end] != ByteClasses.LF) {
            end++;
        }
        return end;
    }

    private void open(AccessLogEntry noted) {
        long now = worker.now();
        noted.start(headStarted ? headStartNanos : now);
        noted.headNanos = now - noted.startNanos;
        headStarted = false;
        reason = "";
        answeredLocally = false;
        bytesOutBefore = output.queuedBytes();
        if (edits.tls() != TlsSessionInfo.NONE) {
            noteTls(noted, edits.tls());
        }
    }

    private static void noteTls(AccessLogEntry noted, TlsSessionInfo tls) {
        noted.store(AccessLogField.TLS_VERSION, tls.version());
        noted.store(AccessLogField.TLS_CIPHER, tls.cipher());
        noted.store(AccessLogField.TLS_SERVER_NAME, tls.serverName());
        noted.store(AccessLogField.TLS_ALPN, tls.applicationProtocol());
        noted.store(AccessLogField.TLS_CLIENT, tls.clientSubject());
    }

    private void count() {
        open = true;
        exchange = null;
        counters.increment(ListenerCounter.REQUESTS);
    }

    /** Whether a request has begun and not ended. */
    boolean isOpen() {
        return open;
    }

    /** Sets the text that describes the fault of the request. */
    public void reason(String text) {
        reason = text;
    }

    /** Sets why a policy, or a route with a local source, has answered the request. */
    public void answeredLocally(String why) {
        reason = why;
        answeredLocally = true;
    }

    /** Counts a request for static files; {@code why} is for the access log. */
    public void answeredByFile(String why) {
        counters.increment(ListenerCounter.FILE_REQUESTS);
        answeredLocally(why);
    }

    /** Sets the exchange when the request goes to a backend. */
    public void setExchange(Exchange serving) {
        exchange = serving;
    }

    /** Ends the exchange. Does nothing if it has already ended. */
    public void end(@Nullable Failure failure) {
        if (!open) {
            return;
        }
        open = false;
        PolicyExchange policies = edits.activePolicies();
        if (policies != null) {
            endTrace(policies, failure);
            endPolicies(policies, failure);
        }
        counters.increment(ListenerCounter.REQUESTS_COMPLETED);
        if (FailureStatus.isError(requestState.status(), failure)) {
            counters.increment(ListenerCounter.ERRORS);
        }
        AccessLogEntry noted = logEntry;
        AccessLog target = listener.accessLog(); // must be the current log, because a log stored earlier may be closed
        if (noted == null || target == null) {
            return;
        }
        noted.status = requestState.status();
        noted.bytesIn = headBytesIn + requestState.bodyBytes() + requestState.tunnelBytes();
        noted.bytesOut = output.queuedBytes() - bytesOutBefore;
        noted.bodyBytesOut = noted.bytesOut - requestState.responseHeadBytes();
        noted.totalNanos = worker.now() - noted.startNanos;
        noted.store(AccessLogField.CLIENT, client.text(), 0, client.textLength());
        noted.store(AccessLogField.REQUEST_ID, edits.id().text(), 0, edits.id().length());
        noted.store(AccessLogField.END, failure == null ? OK : failure.label());
        String why = reason;
        if (exchange != null) {
            noteBackend(noted, exchange.times());
            String fault = exchange.times().reason();
            why = why.isEmpty() || (failure != null && !fault.isEmpty()) ? fault : why;
        }
        if (failure != null || answeredLocally) {
            noted.store(AccessLogField.REASON, why);
        }
        if (!target.offer(worker.index(), noted)) {
            counters.increment(ListenerCounter.ACCESS_LOG_DROPPED);
        }
    }

    private void endTrace(PolicyExchange policies, @Nullable Failure failure) {
        RequestTrace trace = policies.activeTrace();
        if (trace == null) {
            return;
        }
        AccessLogEntry noted = logEntry;
        if (noted != null) {
            noted.store(AccessLogField.TRACE_ID, trace.id());
        }
        if (trace.isRecorded()) {
            trace.text(TraceText.CLIENT, client.text(), 0, client.textLength());
            trace.text(TraceText.REQUEST_ID, edits.id().text(), 0, edits.id().length());
            trace.text(TraceText.POLICY, policies.answer().answeredBy());
            trace.connection(edits.isSecure(), requestState.version(), requestState.isVersion10());
            trace.end(requestState.status(), requestState.isTunnel(), failure, worker.index(), worker.now());
        }
    }

    private void endPolicies(PolicyExchange policies, @Nullable Failure failure) {
        AccessLogEntry noted = logEntry;
        if (noted != null) {
            noted.store(AccessLogField.POLICY, policies.answer().answeredBy());
            noted.store(AccessLogField.DRY_RUN, policies.answer().wouldAnswer());
            noted.store(AccessLogField.IDENTITY, policies.identity().name());
        }
        policies.end(
                requestState.statusForPolicies(),
                exchange == null ? PolicyExchange.NO_RESPONSE : exchange.times().firstByteNanos(),
                requestState.isTunnel(),
                failure);
    }

    private static void noteBackend(AccessLogEntry noted, ExchangeTimes times) {
        noted.attempts = times.attempts();
        noted.queueNanos = times.queueNanos();
        noted.connectNanos = times.connectNanos();
        noted.firstByteNanos = times.firstByteNanos();
        byte[] address = times.backendAddress();
        noted.store(AccessLogField.BACKEND, address, 0, address.length);
    }
}
