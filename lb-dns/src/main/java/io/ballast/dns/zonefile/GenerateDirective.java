package io.ballast.dns.zonefile;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A {@code $GENERATE} directive as in BIND: an entry that is repeated for each number of a range. The number replaces
 * {@code $} or <code>${offset,width,base}</code>.
 *
 * <p>{@code \$} and {@code $$} stand for a literal dollar sign.
 *
 * @param first start of the range, 0 or more
 * @param last end of the range, not less than {@code first}
 * @param step increment, 1 or more
 */
record GenerateDirective(long first, long last, long step) {

    private static final Pattern RANGE = Pattern.compile("(\\d{1,10})-(\\d{1,10})(?:/(\\d{1,10}))?");
    private static final Pattern MODIFIERS = Pattern.compile("\\{(-?\\d{1,10})(?:,(\\d{1,3})(?:,([doxXnN]))?)?}");

    /** Index of the first word of the template, which follows the directive and the range. */
    private static final int TEMPLATE = 2;

    /** Parses the directive. */
    static GenerateDirective of(ZoneFileEntry entry) throws MalformedEntryException {
        Matcher range = RANGE.matcher(entry.words() > 1 ? entry.text(1) : "");
        if (range.matches()) {
            long step = range.group(3) == null ? 1 : Long.parseLong(range.group(3));
            GenerateDirective found =
                    new GenerateDirective(Long.parseLong(range.group(1)), Long.parseLong(range.group(2)), step);
            if (found.first <= found.last && step > 0) {
                return found;
            }
        }
        String what = entry.words() > 1 ? "'" + entry.abbreviatedText(1) + "'" : "the end of the line";
        throw new MalformedEntryException(
                entry, 1, "$GENERATE: " + what + " (expected: a range such as 1-100 or 0-98/2)");
    }

    /** Number of generated entries. */
    long count() {
        return (last - first) / step + 1;
    }

    /**
     * Writes the entry generated for a number. Each generated word gets the source position of the template word
     * it comes from.
     */
    void write(ZoneFileEntry directive, long number, ZoneFileEntry target) throws MalformedEntryException {
        target.clear();
        for (int word = TEMPLATE; word < directive.words(); word++) {
            target.beginWord(directive.line(word), directive.column(word), directive.isQuoted(word));
            expand(directive, word, number, target);
        }
        target.end(directive.line(directive.words()), directive.column(directive.words()));
    }

    private static void expand(ZoneFileEntry directive, int word, long number, ZoneFileEntry target)
            throws MalformedEntryException {
        String text = directive.text(word);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                target.add(c);
                target.add(text.charAt(++i));
            } else if (c != '$') {
                target.add(c);
            } else if (text.startsWith("$$", i)) {
                target.add('\\');
                target.add('$');
                i++;
            } else if (text.startsWith("${", i)) {
                Matcher modifiers = MODIFIERS.matcher(text).region(i + 1, text.length());
                if (!modifiers.lookingAt()) {
                    throw new MalformedEntryException(
                            directive, word, "$GENERATE: '" + text + "' (expected: ${offset,width,base})");
                }
                add(number(directive, word, number, modifiers), target);
                i = modifiers.end() - 1;
            } else {
                add(Long.toString(number), target);
            }
        }
    }

    private static String number(ZoneFileEntry directive, int word, long number, Matcher modifiers)
            throws MalformedEntryException {
        long value = number + Long.parseLong(modifiers.group(1));
        int width = modifiers.group(2) == null ? 0 : Integer.parseInt(modifiers.group(2));
        String base = modifiers.group(3) == null ? "d" : modifiers.group(3);
        if (value < 0) {
            throw new MalformedEntryException(
                    directive,
                    word,
                    "$GENERATE: " + value + " in '" + directive.abbreviatedText(word) + "' (expected: 0 or more)");
        }
        return switch (base) {
            case "o" -> padded(Long.toOctalString(value), width);
            case "x" -> padded(Long.toHexString(value), width);
            case "X" -> padded(Long.toHexString(value).toUpperCase(Locale.ROOT), width);
            case "n" -> nibbles(value, width);
            case "N" -> nibbles(value, width).toUpperCase(Locale.ROOT);
            default -> padded(Long.toString(value), width);
        };
    }

    private static String padded(String digits, int width) {
        return "0".repeat(Math.max(0, width - digits.length())) + digits;
    }

    /**
     * Returns a number as labels of one hexadecimal digit each, the least significant first. The width includes
     * the dots.
     */
    private static String nibbles(long value, int width) {
        StringBuilder text = new StringBuilder();
        long rest = value;
        do {
            text.append(Character.forDigit((int) (rest & 0xf), 16));
            rest >>= 4;
            if (text.length() < width || rest != 0) {
                text.append('.');
            }
        } while (text.length() < width || rest != 0);
        return text.toString();
    }

    private static void add(String text, ZoneFileEntry target) {
        for (int i = 0; i < text.length(); i++) {
            target.add(text.charAt(i));
        }
    }
}
