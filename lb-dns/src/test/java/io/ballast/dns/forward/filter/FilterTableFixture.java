package io.ballast.dns.forward.filter;

import io.ballast.dns.forward.filter.rule.FilterLimitException;
import io.ballast.dns.forward.filter.rule.RuleName;
import io.ballast.dns.forward.filter.rule.RuleSet;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A filter table for tests, with methods that return its decisions as text. */
public final class FilterTableFixture {

    private static final int MAX = 1_000_000;

    private final NameHash hash = new NameHash(1, 2);
    private final QueryName name = new QueryName(hash);
    private final List<FilterList> lists = new ArrayList<>();
    private FilterTable table = FilterTable.empty();

    public static FilterTableFixture of(String... lines) {
        return new FilterTableFixture().list(0, ListKind.BLOCK, lines);
    }

    public static RuleSet resource(String file) {
        try (InputStream in = Objects.requireNonNull(FilterTableFixture.class.getResourceAsStream(file))) {
            return RuleSet.read(in, MAX);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (FilterLimitException e) {
            throw new IllegalArgumentException(e);
        }
    }

    public static RuleSet rules(String... lines) {
        try {
            return RuleSet.of(List.of(lines), MAX);
        } catch (FilterLimitException e) {
            throw new IllegalArgumentException(e);
        }
    }

    public FilterTableFixture list(int id, ListKind kind, String... lines) {
        return list(new FilterList(id, "list-" + id, kind, /* isEnabled= */ true, rules(lines)));
    }

    public FilterTableFixture list(FilterList list) {
        lists.add(list);
        try {
            table = FilterTable.compile(hash, lists, MAX);
        } catch (FilterLimitException e) {
            throw new IllegalArgumentException(e);
        }
        return this;
    }

    public FilterTable table() {
        return table;
    }

    public QueryName name(String text) {
        byte[] wire = RuleName.toWireFormat(text);
        name.read(wire, 0, wire.length);
        name.hash();
        return name;
    }

    public long verdict(String text, long mask) {
        return table.evaluate(name(text), mask);
    }

    public long verdict(String text) {
        return verdict(text, FilterTable.ALL_LISTS);
    }

    public boolean blocks(String text) {
        return FilterVerdict.isBlocked(verdict(text));
    }

    public boolean allows(String text) {
        return FilterVerdict.isAllowed(verdict(text));
    }

    /** Returns the deciding rule, or {@code none}. */
    public String rule(String text) {
        return rule(text, FilterTable.ALL_LISTS);
    }

    public String rule(String text, long mask) {
        long verdict = verdict(text, mask);
        if (verdict == FilterVerdict.NONE) {
            return "none";
        }
        RuleOrigin origin = table.origin(verdict);
        return origin.list() + ":" + origin.line() + " " + origin.text();
    }
}
