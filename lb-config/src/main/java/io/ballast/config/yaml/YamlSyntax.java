package io.ballast.config.yaml;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.Optional;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.reader.StreamReader;

/** Converts exceptions of the YAML parser, which span many lines, into one problem with its position. */
final class YamlSyntax {

    private YamlSyntax() {}

    static void report(JsonProcessingException e, String text, String file, Problems problems) {
        SourcePosition place = place(e, file);
        problems.error(place, "", "not YAML: " + variableAt(place, text).orElseGet(() -> message(e, text)));
    }

    /**
     * Returns a better message for a variable inside brackets, where the parser reports an error because YAML
     * reads the variable's brace as a mapping.
     */
    private static Optional<String> variableAt(SourcePosition place, String text) {
        String line =
                text.lines().skip(Math.max(0, place.line() - 1)).findFirst().orElse("");
        int brace = place.column() - 1;
        if (brace < 1 || brace >= line.length() || !line.startsWith("${", brace - 1)) {
            return Optional.empty();
        }
        int end = line.indexOf('}', brace);
        String variable = line.substring(brace - 1, end < 0 ? line.length() : end + 1);
        return Optional.of(variable + " within [ ] or { } must be in quotes: \"" + variable + "\"");
    }

    /** Returns the position of the first character that YAML does not allow, if there is one. */
    static Optional<SourcePosition> unprintable(String text, String file) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < text.length(); i = text.offsetByCodePoints(i, 1)) {
            int character = text.codePointAt(i);
            if (!StreamReader.isPrintable(character)) {
                return Optional.of(new SourcePosition(file, line, text.codePointCount(lineStart, i) + 1));
            }
            if (character == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return Optional.empty();
    }

    private static SourcePosition place(JsonProcessingException e, String file) {
        if (e.getCause() instanceof MarkedYAMLException marked) {
            Mark mark = marked.getProblemMark();
            return new SourcePosition(file, mark.getLine() + 1, mark.getColumn() + 1);
        }
        JsonLocation location = e.getLocation();
        return location == null || location.getLineNr() < 1
                ? SourcePosition.of(file)
                : new SourcePosition(file, location.getLineNr(), Math.max(1, location.getColumnNr()));
    }

    private static String message(JsonProcessingException e, String text) {
        if (e.getCause() instanceof MarkedYAMLException marked) {
            return new YamlFault(marked, text).message();
        }
        String message = String.valueOf(e.getOriginalMessage());
        if (message.startsWith(YamlReader.TOO_DEEP)) {
            return message.lines().findFirst().orElse(message);
        }
        return message.contains("exceeds the limit")
                ? "the file is too large (expected: at most " + YamlReader.MAX_MEBIBYTES + " MiB)"
                : "invalid YAML (expected: key: value)";
    }
}
