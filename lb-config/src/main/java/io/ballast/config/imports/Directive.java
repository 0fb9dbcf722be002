package io.ballast.config.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * One directive of an imported configuration file of HAProxy, nginx or Divisor, with its location.
 * Immutable; compared by identity.
 *
 * <p>Words may contain {@linkplain EnvironmentReference references} to environment variables.
 */
public final class Directive {

    private static final int LONGEST_SHOWN = 120;
    private static final String HIDDEN = "***";
    private static final Pattern SECRET_WORD = Pattern.compile("(?i)(insecure-)?password|auth|passwd");
    private static final Pattern SECRET_HEADER =
            Pattern.compile("(?i).*(authorization|cookie|token|secret|password|api-?key).*");
    private static final Pattern SECRET_LINE = Pattern.compile(
            "(?i)((?:authorization|cookie|[a-z-]*(?:token|secret|password|api-?key)[a-z-]*)\\s*:\\s*)\\S.*");
    private static final Pattern USER_OF_URL = Pattern.compile("(?<=//)[^/@\\s]*(?=@)");
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cntrl}\u0080-\u009f]");

    private final String file;
    private final int line;
    private final List<String> words;
    private final List<Directive> block;

    /** A directive of at least one word; {@code block} holds the directives between its braces. */
    public Directive(String file, int line, List<String> words, List<Directive> block) {
        this.file = file;
        this.line = line;
        this.words = List.copyOf(words);
        this.block = List.copyOf(block);
    }

    /** The file as the user named it. */
    public String file() {
        return file;
    }

    /** The line number; the first line is 1. */
    public int line() {
        return line;
    }

    /** Returns the first word of the directive. */
    public String name() {
        return words.get(0);
    }

    /** All words; the first word is the name. */
    public List<String> words() {
        return words;
    }

    /** Returns the words after the name. */
    public List<String> arguments() {
        return words.subList(1, words.size());
    }

    /** Returns the word at {@code index}, where index 0 is the name; empty if there are fewer words. */
    public String word(int index) {
        return index < words.size() ? words.get(index) : "";
    }

    /** Returns the directives in the block of this directive. */
    public List<Directive> block() {
        return block;
    }

    /** Returns the words in one line, shortened and without text that looks like a secret. */
    public String displayText() {
        List<String> shown = new ArrayList<>();
        boolean hidden = false;
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            shown.add(hidden ? HIDDEN : word);
            hidden |= SECRET_WORD.matcher(word).matches()
                    || (isHeaderRule() && SECRET_HEADER.matcher(word).matches());
        }
        String text = EnvironmentReference.toReadableText(String.join(" ", shown));
        text = UNPRINTABLE.matcher(USER_OF_URL.matcher(text).replaceAll(HIDDEN)).replaceAll(" ");
        text = SECRET_LINE.matcher(text).replaceAll("$1" + HIDDEN);
        return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "…";
    }

    private boolean isHeaderRule() {
        return words.contains("hdr")
                || words.stream()
                        .limit(2)
                        .anyMatch(word -> word.toLowerCase(Locale.ROOT).contains("header"));
    }
}
