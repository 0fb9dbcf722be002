package io.ballast.bench.dns;

import io.ballast.dns.forward.filter.FilterList;
import io.ballast.dns.forward.filter.FilterTable;
import io.ballast.dns.forward.filter.ListKind;
import io.ballast.dns.forward.filter.rule.FilterLimitException;
import io.ballast.dns.forward.filter.rule.RuleSet;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import java.io.ByteArrayInputStream;
import java.io.IOException;
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
 * Reads and hashes a name and matches it against {@code rules} rules; names are in random order. Run with
 * {@code -prof gc}; {@code gc.alloc.rate.norm} must be 0 B/op.
 *
 * <pre>java -jar lb-bench/target/benchmarks.jar FilterBenchmark -prof gc</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class FilterBenchmark {

    private static final int NAMES = 1 << 18;

    @Param({"1000", "100000", "1000000"})
    public int rules;

    @Param({"true", "false"})
    public boolean isBlocked;

    private final NameHash hash = NameHash.random();
    private final QueryName name = new QueryName(hash);
    private final byte[][] names = new byte[NAMES][];
    private FilterTable table = FilterTable.empty();
    private int next;

    /** Compiles the list and creates the names. */
    @Setup
    public void compile() throws IOException, FilterLimitException {
        RuleSet read = RuleSet.read(new ByteArrayInputStream(RandomRules.list(rules)), rules);
        table = FilterTable.compile(
                hash, List.of(new FilterList(0, "list", ListKind.BLOCK, /* isEnabled= */ true, read)), rules);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < NAMES; i++) {
            int index = random.nextInt(rules);
            names[i] = RandomRules.wire(isBlocked ? "www." + RandomRules.name(index) : RandomRules.name(-1 - index));
        }
    }

    @Benchmark
    public long evaluate() {
        byte[] wire = names[next];
        next = next + 1 == NAMES ? 0 : next + 1;
        name.read(wire, 0, wire.length);
        name.hash();
        return table.evaluate(name);
    }
}
