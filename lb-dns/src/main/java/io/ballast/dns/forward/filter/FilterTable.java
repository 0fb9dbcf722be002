package io.ballast.dns.forward.filter;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.forward.filter.rule.BlockAnswer;
import io.ballast.dns.forward.filter.rule.ExpressionRule;
import io.ballast.dns.forward.filter.rule.FilterLimitException;
import io.ballast.dns.forward.filter.rule.FilterRule;
import io.ballast.dns.forward.filter.rule.RuleContext;
import io.ballast.dns.forward.filter.rule.RuleLimits;
import io.ballast.dns.forward.filter.rule.RuleName;
import io.ballast.dns.forward.filter.rule.RuleSet;
import io.ballast.dns.wire.ByteArena;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of all lists, compiled for lookups by name.
 *
 * <p>Precedence: important rules first, then allowing before blocking rules, then the longest name, the list
 * with the lowest id, and the first line. Expressions are matched afterwards, if they could still change the
 * verdict. The caller selects lists by a bit set, so one table serves all client groups.
 *
 * <pre>
 *   slots    lower half of the hash | address + 1: 12 bytes per rule, two thirds full, linear probing
 *   chunks   the chunks of all lists; an address consists of the index of a chunk and an offset in it
 * </pre>
 *
 * <p>Thread safety: immutable. Cost: one probe for each label of a name, without allocation; a few hundred
 * nanoseconds and a few bytes for each matched expression.
 */
public final class FilterTable {

    /** The default of the maximum number of rules. */
    public static final int MAX_RULES = 2_000_000;

    /** A set of lists that contains every list. */
    public static final long ALL_LISTS = -1;

    private static final long ADDRESS = 0xffff_ffffL;
    private static final int MAX_CHUNKS = 1 << (Integer.SIZE - RuleSet.CHUNK_BITS);

    private final FilterList[] lists;
    private final byte[][] chunks;
    /** The index of the list of each chunk. {@code firstChunk} contains the first chunk of each list. */
    private final byte[] listOfChunk;

    private final int[] firstChunk;
    private final long allowListMask;
    private final long[] slots;
    private final ExpressionRules expressions;
    private final NetworkRules networks;
    private final int ruleCount;

    /** Returns a table without rules. */
    public static FilterTable empty() {
        return new FilterTable(NameHash.random(), new FilterList[0], 0, new byte[0][]);
    }

    /**
     * Compiles the enabled lists.
     *
     * @param hash the hash of the names to look up
     * @param lists the lists, each with a unique id
     * @param maxRules the maximum number of rules in all lists together
     * @throws FilterLimitException if there are more than {@code maxRules} rules, or if the patterns exceed a limit of
     *     {@link RuleLimits}
     */
    public static FilterTable compile(NameHash hash, List<FilterList> lists, int maxRules) throws FilterLimitException {
        check(lists, maxRules);
        FilterList[] enabled = lists.stream()
                .filter(FilterList::isEnabled)
                .sorted(Comparator.comparingInt(FilterList::id))
                .toArray(FilterList[]::new);
        int rules = Arrays.stream(enabled).mapToInt(list -> list.rules().size()).sum();
        byte[][] chunks = Arrays.stream(enabled)
                .flatMap(list -> Arrays.stream(list.rules().chunks()))
                .toArray(byte[][]::new);
        FilterLimitException.check(chunks.length, MAX_CHUNKS - 1, "chunks of names");
        return new FilterTable(hash, enabled, rules, chunks);
    }

    /**
     * Throws the same exception as {@link #compile}, without compiling. Cost: one hash table entry for each
     * pattern.
     */
    public static void check(List<FilterList> lists, int maxRules) throws FilterLimitException {
        long rules = 0;
        RuleLimits limits = new RuleLimits();
        for (FilterList list : lists) {
            if (list.isEnabled()) {
                rules += list.rules().size();
                for (ExpressionRule rule : list.rules().expressions()) {
                    limits.add(rule);
                }
            }
        }
        FilterLimitException.check(rules, maxRules, "rules");
    }

    private FilterTable(NameHash hash, FilterList[] enabled, int rules, byte[][] chunks) {
        this.lists = new FilterList[FilterList.MAX_ID + 1];
        this.firstChunk = new int[FilterList.MAX_ID + 1];
        this.chunks = chunks;
        this.listOfChunk = new byte[chunks.length];
        this.ruleCount = rules;
        this.expressions = ExpressionRules.of(hash, enabled);
        this.networks = NetworkRules.of(enabled);
        long allow = 0;
        int first = 0;
        for (FilterList list : enabled) {
            if (lists[list.id()] != null) {
                throw new IllegalArgumentException("list: " + list.id() + " (expected: a unique id)");
            }
            lists[list.id()] = list;
            firstChunk[list.id()] = first;
            int next = first + list.rules().chunks().length;
            Arrays.fill(listOfChunk, first, next, (byte) list.id());
            first = next;
            allow |= list.kind() == ListKind.ALLOW ? 1L << list.id() : 0;
        }
        this.allowListMask = allow;
        this.slots = new long[rules + (rules >>> 1) + 1];
        fill(new QueryName(hash));
    }

    private void fill(QueryName name) {
        for (int i = 0; i < chunks.length; i++) {
            byte[] chunk = chunks[i];
            int at = 0;
            while (at < chunk.length && chunk[at] != 0) {
                int length = Wire.u8(chunk, at);
                name.read(chunk, at + 1, at + 1 + length);
                name.hash();
                insert(name, i << RuleSet.CHUNK_BITS | at);
                at += length + RuleSet.ENTRY_OVERHEAD_BYTES;
            }
        }
    }

    /**
     * Inserts a rule unless its list already contains it. So a list that repeats one line a million times does
     * not create one long probe sequence.
     */
    private void insert(QueryName name, int address) {
        long hash = name.hash(0);
        int slot = firstSlot(hash);
        for (; slots[slot] != 0; slot = nextSlot(slot)) {
            if ((int) (slots[slot] >>> 32) == (int) hash && isDuplicate(name, (int) slots[slot] - 1, address)) {
                return;
            }
        }
        slots[slot] = hash << 32 | Integer.toUnsignedLong(address + 1);
    }

    private boolean isDuplicate(QueryName name, int known, int address) {
        return list(known) == list(address) && isName(name, 0, known) && flags(known) == flags(address);
    }

    private int firstSlot(long hash) {
        return (int) (((hash >>> 32) * slots.length) >>> 32);
    }

    private int nextSlot(int slot) {
        return slot + 1 == slots.length ? 0 : slot + 1;
    }

    private byte[] chunk(int address) {
        return chunks[address >>> RuleSet.CHUNK_BITS];
    }

    private int list(int address) {
        return listOfChunk[address >>> RuleSet.CHUNK_BITS];
    }

    private boolean isName(QueryName name, int suffix, int address) {
        byte[] chunk = chunk(address);
        int at = ByteArena.offset(address);
        return name.suffixEquals(suffix, chunk, at + 1, Wire.u8(chunk, at));
    }

    private int flags(int address) {
        byte[] chunk = chunk(address);
        int at = ByteArena.offset(address);
        int flags = Wire.u8(chunk, at + 1 + Wire.u8(chunk, at));
        return (allowListMask >>> list(address) & 1) == 0 ? flags : FilterRule.setAllowed(flags);
    }

    /** The number of compiled rules. */
    public int size() {
        return ruleCount;
    }

    /** Returns the memory use in bytes, lists included. */
    public long bytes() {
        long bytes = (long) slots.length * Long.BYTES;
        for (byte[] chunk : chunks) {
            bytes += chunk.length;
        }
        return bytes;
    }

    /** Returns the verdict of all lists on a name. */
    public long evaluate(QueryName name) {
        return evaluate(name, ALL_LISTS);
    }

    /**
     * Returns the verdict on a name without a query: rules with conditions do not apply.
     *
     * @param name a name with the hash that the table was compiled with
     * @param lists the lists that apply, one bit each
     * @return a {@link FilterVerdict}
     */
    public long evaluate(QueryName name, long lists) {
        return evaluate(name, lists, /* query= */ null);
    }

    /**
     * Returns the verdict on a name.
     *
     * @param name a name with the hash that the table was compiled with
     * @param lists the lists that apply, one bit each
     * @param query the query against which conditions are checked; null for none, so that rules with conditions
     *     do not apply
     * @return a {@link FilterVerdict}
     */
    public long evaluate(QueryName name, long lists, @Nullable RuleContext query) {
        long best = FilterVerdict.NONE;
        for (int suffix = 0; suffix < name.labels(); suffix++) {
            best = evaluate(name, suffix, lists, /* cancelled= */ 0, best);
            if (FilterVerdict.rank(best) == FilterVerdict.HIGHEST_RANK) {
                return best;
            }
        }
        return expressions.isEmpty() ? best : expressions.evaluate(name, lists, query, best);
    }

    /**
     * Returns the verdict on an uncompressed name in a message, such as the target of an alias.
     *
     * @param scratch a buffer of the calling thread, which is overwritten
     * @return a {@link FilterVerdict}; {@link FilterVerdict#NONE} if there is no valid name
     */
    public long evaluate(QueryName scratch, byte[] message, int start, int end, long lists) {
        if (scratch.read(message, start, end) < 0) {
            return FilterVerdict.NONE;
        }
        scratch.hash();
        return evaluate(scratch, lists);
    }

    /** Returns the verdict on an address in an answer, in the format of {@link IpAddress}. Allocates nothing. */
    public long evaluateAddress(long high, long low, long lists) {
        return networks.evaluate(high, low, lists);
    }

    /** Whether addresses in answers need not be checked, because no rule applies to addresses. */
    public boolean hasNoNetworkRules() {
        return networks.isEmpty();
    }

    /**
     * Evaluates all rules for one suffix.
     *
     * @param cancelled kinds of rules that are cancelled
     * @param best the result for longer names, which is kept unless a rule of higher rank is found
     */
    private long evaluate(QueryName name, int suffix, long lists, int cancelled, long best) {
        long hash = name.hash(suffix);
        long found = best;
        boolean isFoundHere = false;
        int cancelling = 0;
        int slot = firstSlot(hash);
        for (long entry = slots[slot]; entry != 0; entry = slots[slot]) {
            slot = nextSlot(slot);
            int address = (int) (entry & ADDRESS) - 1;
            if ((int) (entry >>> 32) != (int) hash
                    || (lists >>> list(address) & 1) == 0
                    || !isName(name, suffix, address)) {
                continue;
            }
            int flags = flags(address);
            int kind = FilterRule.cancelMask(flags);
            if (FilterRule.isCancelling(flags)) {
                cancelling |= kind;
            } else if ((cancelled & kind) == 0 && FilterRule.covers(flags, suffix == 0)) {
                long verdict = FilterVerdict.of(FilterVerdict.BY_NAME, flags, list(address), address);
                if (isBetter(verdict, found, isFoundHere)) {
                    found = verdict;
                    isFoundHere = true;
                }
            }
        }
        return (cancelling & ~cancelled) == 0 ? found : evaluate(name, suffix, lists, cancelling, best);
    }

    /**
     * Returns whether a verdict precedes the best verdict so far. Among rules of the same name and rank, the
     * rule that is stored first wins, because rules are stored in the order of lists and lines.
     */
    private static boolean isBetter(long verdict, long found, boolean isSameName) {
        int rank = FilterVerdict.rank(verdict);
        int foundRank = FilterVerdict.rank(found);
        return rank > foundRank
                || (isSameName
                        && rank == foundRank
                        && Integer.compareUnsigned(FilterVerdict.rule(verdict), FilterVerdict.rule(found)) < 0);
    }

    /** The addresses of the answer for a verdict of this table with {@link BlockAnswer#ADDRESS}. */
    public List<IpAddress> addresses(long verdict) {
        if (FilterVerdict.source(verdict) == FilterVerdict.BY_EXPRESSION) {
            return expressions.addresses(FilterVerdict.rule(verdict));
        }
        FilterList list = lists[FilterVerdict.list(verdict)];
        return list.rules().addresses(entryInList(verdict));
    }

    /**
     * Returns the alias target of a verdict of this table, in wire format. The verdict must be one for which
     * {@link FilterVerdict#isAlias} returns true. Allocates nothing.
     */
    public byte[] target(long verdict) {
        return expressions.target(FilterVerdict.rule(verdict));
    }

    /** Returns the alias target of a verdict as text, without its last dot. */
    public String targetText(long verdict) {
        byte[] target = target(verdict);
        return RuleName.toText(target, 0, target.length);
    }

    private int entryInList(long verdict) {
        return FilterVerdict.rule(verdict) - (firstChunk[FilterVerdict.list(verdict)] << RuleSet.CHUNK_BITS);
    }

    /** The name of the list whose rule determined the verdict; "" if the list is not in this table. */
    public String listName(long verdict) {
        FilterList list = lists[FilterVerdict.list(verdict)];
        return list == null ? "" : list.name();
    }

    /**
     * Returns the rule that determined a verdict.
     *
     * @param verdict a verdict of this table, not {@link FilterVerdict#NONE}
     */
    public RuleOrigin origin(long verdict) {
        if (verdict == FilterVerdict.NONE) {
            throw new IllegalArgumentException("verdict: none (expected: the verdict of a rule)");
        }
        FilterList list = lists[FilterVerdict.list(verdict)];
        FilterRule rule =
                switch (FilterVerdict.source(verdict)) {
                    case FilterVerdict.BY_EXPRESSION -> expressions.rule(FilterVerdict.rule(verdict));
                    case FilterVerdict.BY_NETWORK -> networks.rule(FilterVerdict.rule(verdict));
                    default -> list.rules().rule(entryInList(verdict));
                };
        return new RuleOrigin(list.id(), list.name(), rule.line(), rule.toString());
    }
}
