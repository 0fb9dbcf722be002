package io.ballast.config.yaml;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * Describes YAML syntax errors and tells the user what to write instead. The parser's own messages use grammar terms
 * that the author of a configuration may not know.
 */
final class YamlFault {

    private static final int LONGEST_SHOWN = 60;
    private static final Pattern FOUND = Pattern.compile("(?:found|got) '?<?([^'>]*)>?'?");
    private static final Pattern PAIR = Pattern.compile("^\\s*(?:- )?(?:[^\"'#:\\[{]+): +(.*\\S)\\s*$");

    private final List<String> lines;
    private final String problem;
    private final String context;
    private final @Nullable Mark start;
    private final Mark end;

    YamlFault(MarkedYAMLException e, String text) {
        this.lines = text.lines().toList();
        this.problem = String.valueOf(e.getProblem());
        this.context = String.valueOf(e.getContext());
        this.start = e.getContextMark();
        this.end = e.getProblemMark();
    }

    String message() {
        return tab().or(this::special)
                .or(this::quote)
                .or(this::brackets)
                .or(this::colon)
                .or(this::indentation)
                .orElseGet(() -> "invalid YAML: " + inQuotes(line(end).strip()) + " (expected: key: value)");
    }

    private Optional<String> tab() {
        String line = line(end);
        String indent = line.substring(0, indent(line));
        boolean isTab =
                indent.indexOf('\t') >= 0 || (end.getColumn() < line.length() && line.charAt(end.getColumn()) == '\t');
        return isTab ? Optional.of("a tab (expected: spaces; YAML does not allow tabs to indent)") : Optional.empty();
    }

    /**
     * Explains errors of unquoted values that start with a special character. For example, YAML reads
     * {@code *.example.com} as an alias.
     */
    private Optional<String> special() {
        if (context.matches("while (scanning an? (alias|anchor|tag)|scanning a directive|parsing a tag).*")
                && start != null) {
            String value = valueFrom(line(start), start.getColumn());
            return Optional.of(inQuotes(value)
                    + " starts with a character that is reserved in YAML (expected: the value in quotes, "
                    + quoted(value) + ")");
        }
        if (problem.startsWith("found character")) {
            String value = valueFrom(line(end), end.getColumn());
            return Optional.of(inQuotes(value)
                    + " starts with a character that cannot start a value (expected: the value in quotes, "
                    + quoted(value) + ")");
        }
        if (problem.startsWith("found undefined tag handle")) {
            return Optional.of("tags are not supported; put a value that begins with ! in quotes");
        }
        return context.equals("while scanning a block scalar")
                ? Optional.of("only +, - and an indentation digit may follow | or > on the same line")
                : Optional.empty();
    }

    private Optional<String> quote() {
        if (problem.startsWith("found unexpected end of stream") || problem.startsWith("found unexpected document")) {
            return Optional.of("the quote that starts in " + lineLabel(start) + " is not closed");
        }
        if (problem.startsWith("found unknown escape character") || problem.startsWith("expected escape sequence")) {
            return Optional.of("unknown escape sequence after a backslash in double quotes (expected: single"
                    + " quotes, or \\\\ for a backslash)");
        }
        return Optional.empty();
    }

    private Optional<String> brackets() {
        boolean isList = context.equals("while parsing a flow sequence");
        if (!isList && !context.equals("while parsing a flow mapping")) {
            return foundToken()
                    .filter(what -> what.matches("[\\]},\\[]"))
                    .map(what ->
                            "'" + what + "' is not allowed here (expected: a value or a key; quotes if it belongs to a"
                                    + " text; or the matching opening bracket before it)");
        }
        String close = isList ? "]" : "}";
        return Optional.of(
                (isList ? "a list" : "a mapping") + " in brackets is incomplete; it starts in " + lineLabel(start)
                        + " (expected: ',' or '" + close + "' here; put text that contains [ ] { } or , in quotes)");
    }

    private Optional<String> colon() {
        if (problem.equals("could not find expected ':'")) {
            Mark at = start == null ? end : start;
            return Optional.of(inQuotes(line(at).strip()) + " in " + lineLabel(at)
                    + " has no ':' (expected: key: value, or - value)");
        }
        if (!problem.equals("mapping values are not allowed here")) {
            return Optional.empty();
        }
        Matcher pair = PAIR.matcher(line(end));
        if (pair.matches() && pair.end(1) > end.getColumn() && pair.start(1) <= end.getColumn()) {
            String value = String.valueOf(pair.group(1));
            return Optional.of("a second ': ' in the same line (expected: quotes around text that contains ': ', "
                    + quoted(value) + ", or the next key on its own line)");
        }
        return Optional.of(withoutColon()
                .orElseGet(() -> misplaced("it is indented deeper than the key above it, which already has a value")));
    }

    /** Describes a line without a colon, which YAML reads as the beginning of the next line's key. */
    private Optional<String> withoutColon() {
        for (int i = end.getLine() - 1; i >= 0; i--) {
            String above = lines.get(i);
            if (!above.isBlank()) {
                boolean isKey = above.contains(": ") || above.stripTrailing().endsWith(":");
                return indent(above) == indent(line(end)) && !isKey
                        ? Optional.of(
                                inQuotes(above.strip()) + " in line " + (i + 1) + " has no ':' (expected: key: value)")
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static int indent(String line) {
        return line.length() - line.stripLeading().length();
    }

    private Optional<String> indentation() {
        if (problem.contains("<stream end>")) {
            return Optional.of("unexpected end of the file (expected: a value or a closing bracket)");
        }
        if (problem.startsWith("expected <block end>")) {
            String what = foundToken().orElse("");
            if (what.equals("scalar") || what.equals("alias") || what.equals("anchor") || what.equals("tag")) {
                return Optional.of(inQuotes(line(end)
                                .substring(Math.min(end.getColumn(), line(end).length()))
                                .strip()) + " follows the end of a value (expected: quotes around the whole value)");
            }
            if (what.equals("-") || what.equals("block sequence start")) {
                return Optional.of(misplaced(
                        "it is a list item among the keys of the mapping that starts in " + lineLabel(start)));
            }
            return Optional.of(misplaced("the other keys of the mapping, from " + lineLabel(start)
                    + " on, begin in column " + (start == null ? 1 : start.getColumn() + 1)));
        }
        boolean isMisplaced = problem.matches("(mapping keys|sequence entries) are not allowed here")
                || problem.startsWith("expected '<document start>'")
                || problem.startsWith("expected the node content")
                || problem.startsWith("A simple key is required");
        return isMisplaced
                ? Optional.of(misplaced("it does not belong to any key above it, or a value is missing before it"))
                : Optional.empty();
    }

    private String misplaced(String why) {
        return "wrong indentation: " + inQuotes(line(end).strip()) + " begins in column "
                + (indent(line(end)) + 1) + "; " + why
                + " (expected: the same column for all keys of a mapping, and for all items of a list)";
    }

    private Optional<String> foundToken() {
        Matcher found = FOUND.matcher(problem);
        return found.find() ? Optional.of(String.valueOf(found.group(1))) : Optional.empty();
    }

    private String line(Mark mark) {
        return mark.getLine() < lines.size() ? lines.get(mark.getLine()) : "";
    }

    private static String lineLabel(@Nullable Mark mark) {
        return mark == null ? "line 1" : "line " + (mark.getLine() + 1);
    }

    /** Returns the text from {@code column} to the first text that may end a value, such as ": " or a comment. */
    private static String valueFrom(String line, int column) {
        String rest = line.substring(Math.min(column, line.length()));
        return rest.replaceFirst("(: .*|:$| #.*|[,\\]}].*)", "").strip();
    }

    private static String quoted(String value) {
        return value.indexOf('"') < 0
                ? '"' + shortened(value) + '"'
                : '\'' + shortened(value).replace("'", "''") + '\'';
    }

    private static String inQuotes(String text) {
        return "'" + shortened(text) + "'";
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "…";
    }
}
