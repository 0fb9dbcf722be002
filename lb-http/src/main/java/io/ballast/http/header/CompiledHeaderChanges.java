package io.ballast.http.header;

import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderField;
import io.ballast.core.config.header.HeaderValue;
import io.ballast.core.config.header.HeaderVariable;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.TrailerRules;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The compiled header changes of one direction: the names of lines to remove, and the lines to append.
 *
 * <p>Immutable. Cost: each line of a head requires a check of its name's length, and a comparison with each
 * removed name of that length. The appended lines require one copy, plus one per variable. Allocates nothing.
 */
public final class CompiledHeaderChanges implements TrailerRules {

    /** Changes nothing. */
    public static final CompiledHeaderChanges NONE = compile(List.of(), /* policyLines= */ null);

    private final byte[][] removedNames;
    /** The names of all headers that occur in the rules. */
    private final byte[][] ruleNames;

    private final boolean hasUnderscoreName;
    /** A bit set of the lengths, modulo 64, of the names in {@link #removedNames}. */
    private final long removedNameLengths;
    /** The fixed texts before, between and after the variables: one text more than there are variables. */
    private final byte[][] literals;

    private final HeaderVariable[] variables;

    private CompiledHeaderChanges(Set<String> cut, List<HeaderField> appended, @Nullable HeaderVariable policyLines) {
        this.removedNames = bytes(cut);
        this.literals = literals(appended, policyLines != null);
        this.variables = variables(appended, policyLines);
        Set<String> named = new LinkedHashSet<>(cut);
        appended.forEach(field -> named.add(field.name().toLowerCase(Locale.ROOT)));
        this.ruleNames = bytes(named);
        this.hasUnderscoreName = named.stream().anyMatch(name -> name.indexOf('_') >= 0);
        long lengths = 0;
        for (byte[] name : removedNames) {
            lengths |= 1L << name.length;
        }
        this.removedNameLengths = lengths;
    }

    /**
     * Compiles changes that are applied in order. A later change also affects lines that an earlier change has added.
     *
     * @param policyLines the variable for the header lines of policies, which follow all other lines; null for none
     */
    static CompiledHeaderChanges compile(List<HeaderChanges> inOrder, @Nullable HeaderVariable policyLines) {
        Set<String> cut = new LinkedHashSet<>();
        List<HeaderField> appended = new ArrayList<>();
        for (HeaderChanges changes : inOrder) {
            changes.remove().forEach(name -> removeName(name, cut, appended));
            changes.set().forEach(field -> removeName(field.name(), cut, appended));
            appended.addAll(changes.set());
            appended.addAll(changes.add());
        }
        return new CompiledHeaderChanges(cut, appended, policyLines);
    }

    private static void removeName(String name, Set<String> cut, List<HeaderField> appended) {
        cut.add(name.toLowerCase(Locale.ROOT));
        appended.removeIf(field -> field.name().equalsIgnoreCase(name));
    }

    private static byte[][] literals(List<HeaderField> appended, boolean hasPolicyLines) {
        List<byte[]> literals = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (HeaderField field : appended) {
            text.append(field.name()).append(": ");
            for (HeaderValue.Part part : field.value().parts()) {
                if (part instanceof HeaderValue.Literal literal) {
                    text.append(literal.text());
                } else {
                    literals.add(bytes(text.toString()));
                    text.setLength(0);
                }
            }
            text.append("\r\n");
        }
        literals.add(bytes(text.toString()));
        if (hasPolicyLines) {
            literals.add(bytes("")); // an empty last literal, because there is one literal more than variables
        }
        return literals.toArray(byte[][]::new);
    }

    private static HeaderVariable[] variables(List<HeaderField> appended, @Nullable HeaderVariable last) {
        Stream<HeaderVariable> used = appended.stream()
                .flatMap(field -> field.value().parts().stream())
                .filter(HeaderValue.Variable.class::isInstance)
                .map(part -> ((HeaderValue.Variable) part).variable());
        return Stream.concat(used, Stream.ofNullable(last)).toArray(HeaderVariable[]::new);
    }

    private static byte[][] bytes(Set<String> texts) {
        return texts.stream().map(CompiledHeaderChanges::bytes).toArray(byte[][]::new);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Whether these changes remove any header line. */
    public boolean removesAny() {
        return removedNames.length > 0;
    }

    /** Whether any line is appended. */
    public boolean appendsAny() {
        return variables.length > 0 || literals[0].length > 0;
    }

    /** Whether a header line that these changes append contains the variable. */
    public boolean uses(HeaderVariable variable) {
        for (HeaderVariable used : variables) {
            if (used == variable) {
                return true;
            }
        }
        return false;
    }

    /** Whether a line with the name in {@code bytes[from, to)} is removed, ignoring case. */
    public boolean removes(byte[] bytes, int from, int to) {
        int length = to - from;
        if ((removedNameLengths & 1L << length) == 0) {
            return false;
        }
        for (byte[] name : removedNames) {
            if (name.length == length && isSame(bytes, from, name)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a rule names a header with an underscore, so that any line may be a
     * {@linkplain #isUnderscoreVariant variant} of it.
     */
    public boolean hasUnderscoreName() {
        return hasUnderscoreName;
    }

    /**
     * Whether the name in {@code bytes[from, to)} differs from a name in the rules only in hyphens and underscores;
     * many backends treat hyphens and underscores as the same character.
     */
    public boolean isUnderscoreVariant(byte[] bytes, int from, int to) {
        for (byte[] name : ruleNames) {
            if (name.length == to - from && isSameButUnderscores(bytes, from, name) && !isSame(bytes, from, name)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the changes remove a header line with this name, so that it must not arrive as a trailer either. */
    @Override
    public boolean forbids(byte[] name, int length) {
        return removes(name, 0, length) || isUnderscoreVariant(name, 0, length);
    }

    private static boolean isSameButUnderscores(byte[] bytes, int from, byte[] lowerCase) {
        for (int i = 0; i < lowerCase.length; i++) {
            byte b = bytes[from + i];
            boolean bothDash = isDash(b) && isDash(lowerCase[i]);
            if (!bothDash && lower(b) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isDash(byte b) {
        return b == '-' || b == '_';
    }

    private static byte lower(byte b) {
        return b >= 'A' && b <= 'Z' ? (byte) (b + 32) : b;
    }

    private static boolean isSame(byte[] bytes, int from, byte[] lowerCase) {
        for (int i = 0; i < lowerCase.length; i++) {
            if (lower(bytes[from + i]) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether the changes remove a line that Ballast itself generates with this name. Not for the hot path: it
     * allocates.
     */
    public boolean removes(String name) {
        byte[] bytes = bytes(name);
        return removes(bytes, 0, bytes.length);
    }

    /** Appends the header lines, each followed by a line end. */
    public void append(HeaderVariables values, ByteAppender target) {
        for (int i = 0; i < variables.length; i++) {
            target.append(literals[i]);
            values.append(variables[i], target);
        }
        target.append(literals[variables.length]);
    }
}
