package io.ballast.bench.dns;

import io.ballast.dns.forward.filter.FilterList;
import io.ballast.dns.forward.filter.FilterTable;
import io.ballast.dns.forward.filter.ListKind;
import io.ballast.dns.forward.filter.rule.FilterLimitException;
import io.ballast.dns.forward.filter.rule.RuleSet;
import io.ballast.dns.wire.NameHash;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads and compiles a filter list from a file, several times in one process; prints seconds and bytes. The
 * argument is the number of rules in the list. Run with {@code -Xmx200m} to check that this heap is enough.
 *
 * <pre>java -Xmx200m -cp lb-bench/target/benchmarks.jar io.ballast.bench.dns.FilterLoad 1000000</pre>
 */
public final class FilterLoad {

    private static final int ROUNDS = 5;
    private static final double NANOS = 1e9;

    private FilterLoad() {}

    public static void main(String[] args) throws IOException, FilterLimitException {
        int rules = Integer.parseInt(args[0]);
        Path file = Files.createTempFile("rules", ".txt");
        try {
            Files.write(file, RandomRules.list(rules));
            for (int i = 0; i < ROUNDS; i++) {
                load(file, rules);
            }
        } finally {
            Files.delete(file);
        }
    }

    private static void load(Path file, int rules) throws IOException, FilterLimitException {
        long before = used();
        long start = System.nanoTime();
        RuleSet read;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            read = RuleSet.read(in, rules);
        }
        long parsed = System.nanoTime();
        FilterTable table = FilterTable.compile(
                NameHash.random(),
                List.of(new FilterList(0, "list", ListKind.BLOCK, /* isEnabled= */ true, read)),
                rules);
        long compiled = System.nanoTime();
        long after = used();
        System.out.printf(
                "rules=%d parse=%.2fs compile=%.2fs bytes=%d heap=%d per_rule=%.1f%n",
                table.size(),
                (parsed - start) / NANOS,
                (compiled - parsed) / NANOS,
                table.bytes(),
                after - before,
                (double) (after - before) / rules);
    }

    private static long used() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
