package io.ballast.bench.dns;

import io.ballast.dns.answer.ActiveAnswerConfig;
import io.ballast.dns.answer.AnswerConfig;
import io.ballast.dns.answer.AnswerSettings;
import io.ballast.dns.answer.Answerer;
import io.ballast.dns.answer.DeciderLabels;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.answer.data.Client;
import io.ballast.dns.config.DnsLogging;
import io.ballast.dns.config.DnsQueryLogConfig;
import io.ballast.dns.config.DnsQueryLogConfig.Clients;
import io.ballast.dns.config.LogRotation;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.querylog.QueryLog;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.wire.Wire;
import java.io.IOException;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of the query log on the answering thread. It answers like {@link AnswerBenchmark}, with
 * the log off, with every query logged to memory, and with one query in a hundred logged. {@code -prof gc}
 * also measures the log's own thread, which allocates entries; a unit test shows that the answering thread
 * allocates nothing.
 *
 * <pre>java -jar lb-bench/target/benchmarks.jar QueryLogBenchmark</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class QueryLogBenchmark {

    private static final int NAMES = 1000;

    /** The sampling rate n: one query in n is logged; 0 logs none. */
    @Param({"0", "1", "100"})
    public int sample;

    private final QueryLog log = new QueryLog(DeciderLabels::of);
    private final Client client = new Client();
    private final byte[] out = new byte[Wire.MAX_MESSAGE_BYTES];
    private byte[][] queries = {};

    @SuppressWarnings("NullAway.Init") // assigned in @Setup
    private Answerer answerer;

    private int next;

    /** Compiles a zone and starts the log. */
    @Setup
    public void compile() throws IOException {
        AnswerConfig config =
                new AnswerConfig(ServiceZone.compile(NAMES, Routing.ROUND_ROBIN).published(), AnswerSettings.OPEN);
        answerer = new Answerer(
                new ActiveAnswerConfig(config), new DnsStats(1).shard(0), new SplittableRandom(1), log.recorder());
        client.set(/* bytes= */ 4, /* sourcePort= */ 5353);
        SplittableRandom random = new SplittableRandom(2);
        queries = new byte[NAMES][];
        for (int i = 0; i < NAMES; i++) {
            queries[i] = ServiceZone.query("n" + random.nextInt(NAMES));
        }
        DnsQueryLogConfig queryLog = new DnsQueryLogConfig(
                /* enabled= */ true,
                Optional.empty(),
                DnsQueryLogConfig.DEFAULT.format(),
                LogRotation.DEFAULT,
                /* authority= */ sample > 0,
                Clients.FULL,
                Math.max(1, sample),
                DnsQueryLogConfig.DEFAULT_MEMORY);
        log.commit(log.prepare(new DnsLogging(queryLog, Optional.empty()), /* isForwarding= */ false));
    }

    @TearDown
    public void close() {
        log.close();
    }

    @Benchmark
    public int answer() {
        byte[] query = queries[next];
        next = next + 1 == queries.length ? 0 : next + 1;
        return answerer.answer(query, query.length, client, out, Transport.UDP);
    }
}
