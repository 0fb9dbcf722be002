package io.ballast.config.yaml;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.ballast.core.ErrorText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * Reads the text of one file into a tree. Duplicate keys, anchors, aliases, merge keys, tags and second
 * documents are errors, because they hide where a value comes from. Thread safety: confined to one thread. A
 * reader can be used only once.
 */
public final class YamlReader {

    /** Maximum nesting; no valid configuration is nested as deeply. */
    static final int MAX_DEPTH = 32;

    /** The beginning of the error message for nesting that is too deep. */
    static final String TOO_DEEP = "nested deeper than ";

    /** The maximum size of one file: enough for 500,000 zones with one line each. */
    static final int MAX_MEBIBYTES = 32;

    private static final YAMLFactory FACTORY =
            new YAMLFactory().rebuild().loaderOptions(limits()).build();

    private static LoaderOptions limits() {
        LoaderOptions limits = new LoaderOptions();
        limits.setCodePointLimit(MAX_MEBIBYTES << 20);
        return limits;
    }

    private final String file;
    private final Variables variables;
    private final Problems problems;

    /** Creates a reader that calls the file {@code file} in messages and reports errors to {@code problems}. */
    public YamlReader(String file, Variables variables, Problems problems) {
        this.file = file;
        this.variables = variables;
        this.problems = problems;
    }

    /** Returns the root; returns empty after reporting an error if the text is empty or not YAML. */
    public Optional<Node> read(String text) {
        Optional<SourcePosition> unprintable = YamlSyntax.unprintable(text, file);
        if (unprintable.isPresent()) {
            problems.error(unprintable.get(), "", "invalid YAML: the file contains a control character");
            return Optional.empty();
        }
        Optional<String> foreign = ForeignSyntax.findHint(text);
        if (foreign.isPresent()) {
            problems.error(SourcePosition.of(file), "", foreign.get());
            return Optional.empty();
        }
        try (YAMLParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() == null) {
                problems.error(SourcePosition.of(file), "", "the file is empty");
                return Optional.empty();
            }
            Node root = value(parser, "", "", 0);
            if (parser.nextToken() != null) {
                problems.error(place(parser), "", "the file contains a second YAML document (expected: one document)");
            }
            return Optional.of(root);
        } catch (JsonProcessingException e) {
            YamlSyntax.report(e, text, file, problems);
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("a string cannot fail to be read", e);
        }
    }

    private Node value(YAMLParser parser, String path, String name, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw new JsonParseException(parser, TOO_DEEP + MAX_DEPTH + " levels");
        }
        SourcePosition place = place(parser);
        refuseIndirection(parser, place, path);
        if (parser.isCurrentAlias()) {
            return new Node.Invalid(place, path);
        }
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            return sequence(parser, place, path, depth);
        }
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            return mapping(parser, place, path, name, depth);
        }
        return scalar(parser, place, path);
    }

    private Node sequence(YAMLParser parser, SourcePosition place, String path, int depth) throws IOException {
        List<Node> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(parser, path + "[" + items.size() + "]", "", depth + 1));
        }
        return new Node.Sequence(place, path, items);
    }

    private Node mapping(YAMLParser parser, SourcePosition place, String path, String name, int depth)
            throws IOException {
        Map<String, Node.Entry> entries = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            SourcePosition keyPlace = place(parser);
            parser.nextToken();
            Node value = value(parser, path.isEmpty() ? key : path + "." + key, key, depth + 1);
            add(entries, key, new Node.Entry(keyPlace, value), path);
        }
        return new Node.Mapping(place, path, name, entries);
    }

    private void add(Map<String, Node.Entry> entries, String key, Node.Entry entry, String path) {
        if (key.equals("<<")) {
            problems.error(entry.keyPlace(), path, "YAML merge keys are not supported; repeat the merged keys here");
            return;
        }
        Node.Entry first = entries.putIfAbsent(key, entry);
        if (first != null) {
            problems.error(entry.keyPlace(), path, "duplicate key '" + key + "' (first at " + first.keyPlace() + ")");
        }
    }

    private Node scalar(YAMLParser parser, SourcePosition place, String path) throws IOException {
        boolean isNull = parser.currentToken() == JsonToken.VALUE_NULL;
        try {
            String text = isNull ? "" : variables.expand(parser.getText());
            return new Node.Scalar(place, path, text, isNull);
        } catch (IllegalArgumentException e) {
            problems.error(place, path, ErrorText.of(e));
            return new Node.Invalid(place, path);
        }
    }

    private void refuseIndirection(YAMLParser parser, SourcePosition place, String path) throws IOException {
        if (parser.isCurrentAlias()) {
            problems.error(place, path, "YAML aliases are not supported; repeat the value here");
        } else if (parser.getObjectId() != null) {
            problems.error(place, path, "YAML anchors are not supported; repeat the value where it is needed");
        }
        if (parser.getTypeId() != null) {
            problems.error(place, path, "YAML tags are not supported; write the value without the tag");
        }
    }

    private SourcePosition place(YAMLParser parser) {
        JsonLocation location = parser.currentTokenLocation();
        return new SourcePosition(file, location.getLineNr(), location.getColumnNr());
    }
}
