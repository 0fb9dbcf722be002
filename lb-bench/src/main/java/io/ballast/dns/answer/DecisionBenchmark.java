package io.ballast.dns.answer;

import io.ballast.bench.dns.RandomNetworks;
import io.ballast.dns.answer.data.Answer;
import io.ballast.dns.answer.data.AnswerSource;
import io.ballast.dns.answer.data.AnswerTable;
import io.ballast.dns.answer.data.ApexIndex;
import io.ballast.dns.answer.data.Client;
import io.ballast.dns.answer.data.PublishedAnswers;
import io.ballast.dns.answer.data.QueryContext;
import io.ballast.dns.answer.data.ZoneTable;
import io.ballast.dns.wire.NameHash;
import java.util.Collections;
import java.util.List;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures how the server selects the records for a query by the client's address. The address changes with
 * every call and is in one of 100,000 networks of 16 regions. Run with {@code -prof gc}; {@code
 * gc.alloc.rate.norm} must be 0 B/op.
 *
 * <pre>java -jar lb-bench/target/benchmarks.jar DecisionBenchmark -prof gc</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class DecisionBenchmark {

    /**
     * The selection rule. Failover and lowest latency are not measured, because the server applies these rules
     * when the state changes, not per query.
     */
    public enum Rule {
        /** The answer is always the same, without a selection. */
        ONE,
        TURN,
        WEIGHTED,
        HASH,
        GEO,
        /** Selects by the client's region, then by weight. */
        GEO_WEIGHTED
    }

    private static final int CLIENTS = 1 << 16;
    private static final int NETWORKS = 100_000;
    private static final int CHOICES = 4;

    @Param
    public Rule rule = Rule.GEO;

    private final Client client = new Client();
    private byte[] addresses = {};
    private int next;

    @SuppressWarnings("NullAway.Init") // assigned in @Setup
    private AnswerSource source;

    @SuppressWarnings("NullAway.Init") // assigned in @Setup
    private QueryContext context;

    /** Compiles the networks and the answers, and generates random client addresses. */
    @Setup
    public void compile() {
        RandomNetworks networks = new RandomNetworks(RandomNetworks.AddressFamily.IPV4, NETWORKS);
        addresses = networks.addresses(CLIENTS, /* inNetworks= */ true);
        NameHash hash = NameHash.random();
        AnswerTable table = AnswerTable.of(ApexIndex.of(hash, List.of()), new ZoneTable[0], /* cursors= */ 1);
        PublishedAnswers published = new PublishedAnswers(hash, table, /* signers= */ null, networks::table);
        context = new QueryContext(published, new SplittableRandom(1));
        context.ensureCursors(1);
        source = source();
    }

    private AnswerSource source() {
        List<AnswerSource> answers = Collections.nCopies(CHOICES, records());
        AnswerSource weighted = AnswerSource.weighted(answers, new int[] {5, 2, 2, 1});
        return switch (rule) {
            case ONE -> records();
            case TURN -> AnswerSource.roundRobin(answers, /* cursor= */ 0);
            case WEIGHTED -> weighted;
            case HASH -> AnswerSource.hashed(answers, /* salt= */ 1);
            case GEO -> AnswerSource.byRegion(Collections.nCopies(RandomNetworks.REGIONS, records()), 0);
            case GEO_WEIGHTED -> AnswerSource.byRegion(Collections.nCopies(RandomNetworks.REGIONS, weighted), 0);
        };
    }

    private static Answer records() {
        return Answer.fixed(1, new byte[Answer.FIXED_BYTES + 4], new int[] {0}, new int[0]);
    }

    @Benchmark
    public Answer decide() {
        System.arraycopy(addresses, next, client.bytes(), 0, 4);
        next = next + 4 == addresses.length ? 0 : next + 4;
        client.set(/* bytes= */ 4, /* sourcePort= */ 0);
        context.beginQuery(client);
        return source.select(context);
    }
}
