package io.ballast.dns.forward.filter.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.xbill.DNS.Type;

/**
 * The value of {@code $dnstype}: the query types that a rule applies to, such as {@code A|AAAA}, or the types
 * that it excludes, such as {@code ~AAAA}. Immutable.
 */
final class RuleTypes {

    private static final int MAX_TYPES = 64;
    private static final String EXPECTED_FORM = "$dnstype= with at most " + MAX_TYPES
            + " record types, such as A|AAAA, or with ~ before each, such as ~AAAA";

    private final int[] types;
    private final boolean isExcluding;

    private RuleTypes(int[] types, boolean isExcluding) {
        this.types = types;
        this.isExcluding = isExcluding;
    }

    /** @throws IllegalArgumentException if the value is malformed; the message is the expected form */
    static RuleTypes parse(String value) {
        String[] words = value.toUpperCase(Locale.ROOT).split("\\|", -1);
        boolean isExcluding = words[0].startsWith("~");
        int[] types = new int[words.length];
        for (int i = 0; i < words.length; i++) {
            int type = Type.value(isExcluding && words[i].startsWith("~") ? words[i].substring(1) : words[i]);
            if (type <= 0 || words.length > MAX_TYPES || words[i].startsWith("~") != isExcluding) {
                throw new IllegalArgumentException(EXPECTED_FORM);
            }
            types[i] = type;
        }
        return new RuleTypes(types, isExcluding);
    }

    boolean contains(int type) {
        for (int listed : types) {
            if (listed == type) {
                return !isExcluding;
            }
        }
        return isExcluding;
    }

    /** Returns the modifier in filter-list syntax. */
    String text() {
        List<String> words = new ArrayList<>();
        for (int type : types) {
            words.add((isExcluding ? "~" : "") + Type.string(type));
        }
        return "dnstype=" + String.join("|", words);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RuleTypes that && isExcluding == that.isExcluding && Arrays.equals(types, that.types);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(types);
    }
}
