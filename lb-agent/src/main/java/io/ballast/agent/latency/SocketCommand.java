package io.ballast.agent.latency;

import io.ballast.core.ErrorText;
import io.ballast.core.control.Background;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.source.DnsServices.RoundTrip;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the open connections of this machine with the program {@code ss}, which needs no privileges. Each call takes
 * some milliseconds on a separate thread; calls run one after the other. Thread-safe.
 */
public final class SocketCommand implements AutoCloseable {

    /** The maximum number of round-trip times in one document; see {@code RoundTripJson}. */
    static final int MAX_ENTRIES = 150;

    private static final Logger LOG = LoggerFactory.getLogger(SocketCommand.class);
    private static final List<String> COMMAND = List.of("ss", "-Htni", "state", "established");
    private static final int MAX_SECONDS = 5;
    private static final double NANOS_PER_MILLI = 1e6;

    private final Background thread = Background.of("agent-latency", /* max= */ 1);
    private final ClientTimes times;
    private final LongSupplier nanoTime;
    /** Whether the last call failed, which is logged once. Confined to the thread. */
    private boolean isFailing;

    /** @param nanoTime a clock that never jumps */
    public SocketCommand(ClientTimes times, LongSupplier nanoTime) {
        this.times = times;
        this.nanoTime = nanoTime;
    }

    /**
     * Measures the round-trip times now.
     *
     * @param documents receives the documents for the nodes, on another thread; none if no client is connected
     */
    public void sample(Consumer<List<byte[]>> documents) {
        thread.execute(() -> documents.accept(documents(read())));
    }

    private List<RoundTrip> read() {
        try {
            Process process = new ProcessBuilder(COMMAND)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            List<SocketTime> open;
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
                open = SocketList.read(lines);
            } finally {
                process.destroy(); // the process still runs only if it has listed too many connections
            }
            process.waitFor(MAX_SECONDS, TimeUnit.SECONDS);
            isFailing = false;
            return times.sample(open, nanoTime.getAsLong());
        } catch (IOException e) {
            if (!isFailing) {
                isFailing = true;
                LOG.warn(
                        "msg=\"cannot measure the round-trip times of clients: the program ss (package iproute2) does not"
                                + " run\" reason=\"{}\"",
                        ErrorText.reason(e));
            }
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    /** Returns the documents that report these round-trip times. */
    static List<byte[]> documents(List<RoundTrip> all) {
        List<byte[]> documents = new ArrayList<>();
        for (int begin = 0; begin < all.size(); begin += MAX_ENTRIES) {
            documents.add(document(all.subList(begin, Math.min(all.size(), begin + MAX_ENTRIES))));
        }
        return documents;
    }

    private static byte[] document(List<RoundTrip> part) {
        ByteBuf written = JsonWriter.write(json -> json.array(() -> part.forEach(each -> json.object(() -> {
            json.field("client", each.client().toString());
            json.field("pool", each.pool());
            json.field("rtt_ms", each.time().toNanos() / NANOS_PER_MILLI);
        }))));
        try {
            return ByteBufUtil.getBytes(written);
        } finally {
            written.release();
        }
    }

    @Override
    public void close() {
        thread.close();
    }
}
