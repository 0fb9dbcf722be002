package io.ballast.dns.forward.filter.rule;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.wire.ByteArena;
import io.ballast.dns.wire.Wire;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The rules of one list, about 27 bytes each. Every {@code FilterTable} that includes the list refers to
 * them.
 *
 * <p>A rule for a name is an entry: the length of the name in one byte, the name in wire format, the flags in
 * one byte, the line in four bytes. Chunks contain consecutive entries; a zero byte instead of a length ends
 * a chunk.
 *
 * <p>Thread safety: immutable.
 */
public final class RuleSet {

    /** A set without rules. */
    public static final RuleSet EMPTY = new Collector(0).finish();

    /** The number of bits of an offset in a chunk. */
    public static final int CHUNK_BITS = 20;

    /** Maximum number of rejected lines, and of broad rules, that are kept for display. */
    public static final int MAX_SHOWN_LINES = 10;

    /** The length of an entry without its name, in bytes. */
    public static final int ENTRY_OVERHEAD_BYTES = 6;

    private final byte[][] chunks;
    private final List<ExpressionRule> expressions;
    private final List<FilterRule> networks;
    /**
     * The entries that have addresses for the answer, in ascending order; {@link #addresses} contains these
     * addresses.
     */
    private final int[] entriesWithAddresses;

    private final List<List<IpAddress>> addresses;
    private final int ruleCount;
    private final int refusedCount;
    private final int cosmeticCount;
    private final List<RefusedLine> refusals;
    private final int broadCount;
    private final List<BroadRule> shownBroadRules;

    private RuleSet(Collector from) {
        this.chunks = from.chunks();
        this.expressions =
                from.expressions.stream().map(ExpressionRule::toImmutable).toList();
        this.networks = List.copyOf(from.networks);
        this.entriesWithAddresses =
                from.addresses.keySet().stream().mapToInt(entry -> entry).toArray();
        this.addresses = from.addresses.values().stream().map(List::copyOf).toList();
        this.ruleCount = from.ruleCount;
        this.refusedCount = from.refusedCount;
        this.cosmeticCount = from.cosmeticCount;
        this.refusals = List.copyOf(from.refusals);
        this.broadCount = from.broadCount;
        this.shownBroadRules = List.copyOf(from.shownBroadRules);
    }

    /**
     * Reads a list.
     *
     * @param maxRules the maximum number of rules
     * @param isGroup predicate that returns whether a client group with a given name exists
     * @throws FilterLimitException if the list has more than {@code maxRules} rules, or if its patterns exceed a limit
     *     of {@link RuleLimits}
     */
    public static RuleSet read(InputStream in, int maxRules, Predicate<String> isGroup)
            throws IOException, FilterLimitException {
        Collector collector = new Collector(maxRules);
        RuleParser parser = new RuleParser(collector, isGroup);
        LineReader lines = new LineReader(in, RuleParser.MAX_CHARACTERS + 1);
        for (String line = lines.next(); line != null; line = lines.next()) {
            parser.line(line);
            collector.checkLimits();
        }
        return collector.finish();
    }

    /** Reads a list for a configuration without client groups. */
    public static RuleSet read(InputStream in, int maxRules) throws IOException, FilterLimitException {
        return read(in, maxRules, name -> false);
    }

    /** Reads rules from lines, for a configuration without client groups. */
    public static RuleSet of(List<String> lines, int maxRules) throws FilterLimitException {
        return of(lines, maxRules, name -> false);
    }

    /**
     * Reads rules from lines.
     *
     * @param isGroup predicate that returns whether a client group with a given name exists
     */
    public static RuleSet of(List<String> lines, int maxRules, Predicate<String> isGroup) throws FilterLimitException {
        try {
            byte[] bytes = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
            return read(new ByteArrayInputStream(bytes), maxRules, isGroup);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // reading from memory does not fail
        }
    }

    /** The number of rules. */
    public int size() {
        return ruleCount;
    }

    /** The number of rejected lines. */
    public int refusedCount() {
        return refusedCount;
    }

    /** The rejected lines of the list; only the first ones are kept. */
    public List<RefusedLine> refusals() {
        return refusals;
    }

    /** The number of rules for a whole top-level domain, or for almost all names or addresses. */
    public int broadCount() {
        return broadCount;
    }

    /** The first broad rules, for display: see {@link #broadCount}. */
    public List<BroadRule> broadRules() {
        return shownBroadRules;
    }

    /** The number of ignored lines about elements of web pages. */
    public int cosmeticCount() {
        return cosmeticCount;
    }

    public byte[][] chunks() {
        return chunks;
    }

    public List<ExpressionRule> expressions() {
        return expressions;
    }

    public List<FilterRule> networks() {
        return networks;
    }

    /** Returns the addresses that the rule of an entry puts into the answer. Allocates nothing. */
    public List<IpAddress> addresses(int entry) {
        int index = Arrays.binarySearch(entriesWithAddresses, entry);
        return index < 0 ? List.of() : addresses.get(index);
    }

    /** Returns the rule of an entry, with the first address if there are several. */
    public FilterRule rule(int entry) {
        byte[] chunk = chunks[entry >>> CHUNK_BITS];
        int at = ByteArena.offset(entry);
        int length = Wire.u8(chunk, at);
        int flags = Wire.u8(chunk, at + 1 + length);
        List<IpAddress> entryAddresses = addresses(entry);
        return FilterRule.of(
                Wire.u32(chunk, at + 2 + length),
                RuleName.toText(chunk, at + 1, length),
                flags,
                entryAddresses.isEmpty() ? null : entryAddresses.get(0));
    }

    /** Collects the rules; confined to the thread that reads the list. */
    private static final class Collector implements RuleSink {

        private final ByteArena arena = new ByteArena();
        private final List<ExpressionRule> expressions = new ArrayList<>();
        private final List<FilterRule> networks = new ArrayList<>();
        private final List<RefusedLine> refusals = new ArrayList<>();
        private final List<BroadRule> shownBroadRules = new ArrayList<>();
        private final SortedMap<Integer, List<IpAddress>> addresses = new TreeMap<>();
        private final Map<String, Integer> entriesWithAddresses = new HashMap<>();
        private final Map<String, ExpressionRule> expressionsWithAddresses = new HashMap<>();
        private final RuleLimits limits = new RuleLimits();
        private final int maxRules;
        private int ruleCount;
        private int refusedCount;
        private int cosmeticCount;
        private int broadCount;
        /** The number of patterns that count toward the limits. */
        private int countedPatterns;

        Collector(int max) {
            this.maxRules = max;
        }

        void checkLimits() throws FilterLimitException {
            FilterLimitException.check(ruleCount, maxRules, "rules");
            for (; countedPatterns < expressions.size(); countedPatterns++) {
                limits.add(expressions.get(countedPatterns));
            }
        }

        @Override
        public void onRule(FilterRule rule) {
            ruleCount++;
            switch (rule.subject()) {
                case EXPRESSION, PATTERN -> addExpression(rule);
                case NETWORK -> networks.add(rule);
                default -> addName(rule);
            }
        }

        /** Adds a pattern or expression. Rules that differ only in their address are merged into one answer. */
        private void addExpression(FilterRule rule) {
            IpAddress address = rule.address();
            if (address == null) {
                add(ExpressionRule.of(rule));
                return;
            }
            String key =
                    rule.flags() + " " + rule.text() + " " + rule.condition().text();
            ExpressionRule known = expressionsWithAddresses.get(key);
            if (known == null) {
                known = ExpressionRule.of(rule);
                expressionsWithAddresses.put(key, known);
                add(known);
            }
            known.addresses().add(address);
        }

        private void add(ExpressionRule rule) {
            expressions.add(rule);
        }

        private void addName(FilterRule rule) {
            IpAddress address = rule.address();
            if (address == null) {
                add(rule);
                return;
            }
            int entry = entriesWithAddresses.computeIfAbsent(rule.flags() + " " + rule.text(), key -> add(rule));
            addresses.computeIfAbsent(entry, key -> new ArrayList<>()).add(address);
        }

        private int add(FilterRule rule) {
            int length = RuleName.wireLength(rule.text());
            int entry = arena.reserve(length + ENTRY_OVERHEAD_BYTES);
            byte[] chunk = arena.chunk(entry);
            int at = ByteArena.offset(entry);
            chunk[at] = (byte) length;
            RuleName.write(rule.text(), chunk, at + 1);
            chunk[at + 1 + length] = (byte) rule.flags();
            Wire.putU32(chunk, at + 2 + length, rule.line());
            return entry;
        }

        @Override
        public void onRefused(RefusedLine line) {
            refusedCount++;
            if (refusals.size() < MAX_SHOWN_LINES) {
                refusals.add(line);
            }
        }

        @Override
        public void onBroad(BroadRule rule) {
            broadCount++;
            if (shownBroadRules.size() < MAX_SHOWN_LINES) {
                shownBroadRules.add(rule);
            }
        }

        @Override
        public void onCosmetic() {
            cosmeticCount++;
        }

        public byte[][] chunks() {
            arena.trim();
            long bytes = arena.bytes();
            int count = bytes == 0 ? 0 : (int) ((bytes - 1) >>> CHUNK_BITS) + 1;
            byte[][] filled = new byte[count][];
            for (int i = 0; i < count; i++) {
                filled[i] = arena.chunk(i << CHUNK_BITS);
            }
            return filled;
        }

        RuleSet finish() {
            return new RuleSet(this);
        }
    }
}
