package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import io.ballast.config.yaml.Problems;
import io.ballast.core.ErrorText;
import io.ballast.core.FileState;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The state of one read of a configuration: its problems, and the data for checks that need the whole
 * configuration. Thread safety: confined to the reading thread.
 */
public final class ReadContext {

    private static final String EXPECTED = "(expected: ";

    private final Map<Path, FileState> textFiles = new LinkedHashMap<>();
    private final Problems problems;
    private final boolean complete;
    private final References pools = new References("pool");
    private final References overriddenPools = new References("pool");
    private final References regions = new References("region");
    private final References tsigKeys = new References("key");
    private final References policies = new References("policy");
    private final BoundAddresses ports = new BoundAddresses();
    private final Map<List<Object>, Node> firstOccurrences = new HashMap<>();
    private final Map<Path, Node> contents = new LinkedHashMap<>();
    private final FileLocations locations;
    private boolean dependsOnOtherState;

    /**
     * Creates the context for reading a configuration; {@code complete} is true if every file of the
     * configuration could be read.
     */
    public ReadContext(Problems problems, boolean complete) {
        this(problems, complete, FileLocations.AS_WRITTEN);
    }

    /** Like {@link #ReadContext(Problems, boolean)}, with other locations of the files that the configuration names. */
    public ReadContext(Problems problems, boolean complete, FileLocations locations) {
        this.problems = problems;
        this.complete = complete;
        this.locations = locations;
    }

    /** Resolves the paths of the files that the configuration names. */
    FileLocations locations() {
        return locations;
    }

    /** Registers a file that belongs to the configuration, and is named by a relative path. */
    void registerContent(Path file, Node named) {
        contents.putIfAbsent(file, named);
    }

    /** The registered files that belong to the configuration, each with the first node that names it. */
    public Map<Path, Node> contents() {
        return contents;
    }

    /**
     * Returns whether all files could be read. If not, an item may appear to be missing from the configuration
     * only because its file could not be read.
     */
    public boolean isComplete() {
        return complete;
    }

    /** Whether an error was found so far. */
    public boolean hasErrors() {
        return problems.hasErrors();
    }

    /** The references to pools that the configuration contains. */
    public References pools() {
        return pools;
    }

    /**
     * The references to pools whose backends a token may override. They are separate from {@link #pools}, because a
     * pool that only a token names serves no requests.
     */
    public References overriddenPools() {
        return overriddenPools;
    }

    /** The references to regions that the configuration contains. */
    public References regions() {
        return regions;
    }

    /** The references to policies that the configuration contains. */
    public References policies() {
        return policies;
    }

    /** The references to TSIG keys that the configuration contains. */
    public References tsigKeys() {
        return tsigKeys;
    }

    /** Returns whether a value of this kind is read for the first time; reports a duplicate. */
    boolean isFirst(String kind, Object value, Node node) {
        Node before = firstOccurrences.putIfAbsent(List.of(kind, value), node);
        if (before != null) {
            error(node, "duplicate " + kind + " '" + value + "' (first at " + before.place() + ")");
        }
        return before == null;
    }

    /** Registered listen addresses and ports. */
    public BoundAddresses ports() {
        return ports;
    }

    /** Registers a file that is about to be read. */
    public void registerFile(Path file) {
        textFiles.put(file, FileState.of(file));
    }

    /** Records that the result depends on more than the configuration and the registered files. */
    public void recordOtherDependency() {
        dependsOnOtherState = true;
    }

    /** Whether the result depends on more than the configuration and the registered files. */
    public boolean dependsOnOtherState() {
        return dependsOnOtherState;
    }

    /** The registered files, each with its state just before it was read. */
    public Map<Path, FileState> textFiles() {
        return textFiles;
    }

    /** Reports that the node does not have the expected form. */
    public void mismatch(Node node, String expected) {
        error(node, node.describe() + " " + EXPECTED + expected + ")");
    }

    /** Reports an error at the node, unless an error was already reported for this node. */
    public void error(Node node, String message) {
        if (!(node instanceof Node.Invalid)) {
            problems.error(node.place(), node.path(), message);
        }
    }

    /** Reports an error at the key of an entry, in the mapping that holds it. */
    public void error(Node.Mapping mapping, Node.Entry entry, String message) {
        problems.error(entry.keyPlace(), mapping.path(), message);
    }

    /** Reports a setting that is accepted but may not have the effect that the user expects. */
    public void warning(Node node, String message) {
        problems.warning(node.place(), node.path(), message);
    }

    /** Reports a warning at the key of an entry. */
    public void warning(Node.Entry entry, String message) {
        problems.warning(entry.keyPlace(), entry.value().path(), message);
    }

    /**
     * Returns the result of {@code value}; reports an {@link IllegalArgumentException} as a problem at the node
     * and returns empty.
     */
    <T> Optional<T> attempt(Node node, Supplier<T> value) {
        try {
            return Optional.of(value.get());
        } catch (IllegalArgumentException e) {
            reportRefusal(node, e);
            return Optional.empty();
        }
    }

    /** Reports a rejected value as {@code name: value (expected: …)}, with the value as written in the file. */
    void reportRefusal(Node node, IllegalArgumentException e) {
        String message = ErrorText.of(e);
        int expected = message.indexOf(EXPECTED);
        error(node, expected < 0 ? message : node.describe() + " " + message.substring(expected));
    }
}
