package io.ballast.dns.querylog;

import io.ballast.core.ErrorText;
import io.ballast.dns.config.DnstapConfig;
import io.ballast.dns.config.DnstapConfig.MessageKind;
import io.ballast.dns.querylog.dnstap.DnstapEncoder;
import io.ballast.dns.querylog.dnstap.DnstapExchange;
import io.ballast.dns.querylog.dnstap.DnstapFile;
import io.ballast.dns.querylog.dnstap.DnstapOutput;
import io.ballast.dns.querylog.dnstap.DnstapSocket;
import java.io.IOException;
import java.util.Set;

/** Writes dnstap messages. Confined to the file thread once it is open. */
final class Dnstap {

    private final Set<MessageKind> kinds;
    private final DnstapEncoder encoder;
    private final DnstapOutput output;
    private final LogCounts counts;
    private final FailureReport report;
    private long countedLosses;

    private Dnstap(DnstapConfig config, DnstapOutput output, LogCounts counts) {
        this.kinds = config.messages();
        this.encoder = new DnstapEncoder(config.identity(), config.version());
        this.output = output;
        this.counts = counts;
        this.report = new FailureReport(
                "cannot write dnstap to " + config.file().or(config::socket).orElseThrow());
    }

    /**
     * Opens the output. The process that reads from the socket may be started later.
     *
     * @param config configuration in which the identity has already been resolved to a name
     */
    static Dnstap open(DnstapConfig config, LogCounts counts) throws IOException {
        if (config.socket().isPresent()) {
            return new Dnstap(config, new DnstapSocket(config.socket().get(), System::nanoTime), counts);
        }
        try {
            return new Dnstap(config, DnstapFile.open(config.file().orElseThrow(), config.rotate()), counts);
        } catch (IOException e) {
            throw new IOException(
                    "dns.dnstap.file: cannot write " + config.file().orElseThrow() + ": " + ErrorText.reason(e), e);
        }
    }

    /** Adds a query and its response, if their message kinds are configured. */
    void add(DnstapExchange exchange) {
        offer(exchange, exchange.isForwarded() ? MessageKind.CLIENT_QUERY : MessageKind.AUTH_QUERY);
        offer(exchange, exchange.isForwarded() ? MessageKind.CLIENT_RESPONSE : MessageKind.AUTH_RESPONSE);
    }

    /** Returns whether the output must be flushed before more messages are added. */
    boolean isFull() {
        return output.isFull();
    }

    private void offer(DnstapExchange exchange, MessageKind kind) {
        if (!kinds.contains(kind)) {
            return;
        }
        int length = encoder.encode(exchange, kind);
        if (output.offer(encoder.frame(), length)) {
            counts.addWritten(1);
        } else {
            counts.addDropped(1);
        }
    }

    void flush(long nowNanos) {
        try {
            output.flush(nowNanos);
        } catch (IOException e) {
            report.report(e, counts.droppedCount());
        }
        countLosses();
    }

    private void countLosses() {
        long lost = output.lost() - countedLosses;
        countedLosses += lost;
        counts.addDropped(lost);
        counts.addWritten(-lost);
    }

    void close() {
        try {
            output.close();
        } catch (IOException e) {
            report.report(e, counts.droppedCount());
        }
        countLosses();
    }
}
