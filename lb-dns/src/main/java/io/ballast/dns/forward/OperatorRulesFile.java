package io.ballast.dns.forward;

import io.ballast.core.ErrorText;
import io.ballast.dns.forward.filter.OperatorRules;
import io.ballast.dns.wire.NameHash;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Stores the operator rules in a file, so that they survive restarts. The file has one rule per line, in the notation
 * of rule lists. It is always replaced as a whole.
 *
 * @param directory the directory of the file; created when needed
 */
record OperatorRulesFile(Path directory) {

    private static final String NAME = "operator.rules";
    private static final int MAX_BYTES = 1 << 20;

    /**
     * Returns the rules in the file; empty if there is no file.
     *
     * @throws IOException if the file cannot be read; the message states the reason
     */
    OperatorRules read(NameHash hash) throws IOException {
        Path file = directory.resolve(NAME);
        if (!Files.exists(file)) {
            return OperatorRules.empty(hash);
        }
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException(file + ": " + Files.size(file) + " bytes (expected: at most " + MAX_BYTES + ")");
        }
        List<String> lines = new ArrayList<>();
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            if (!line.isBlank()) {
                lines.add(line.strip());
            }
        }
        try {
            return OperatorRules.of(hash, lines);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + ErrorText.reason(e), e);
        }
    }

    void write(OperatorRules rules) throws IOException {
        Files.createDirectories(directory);
        Path temporaryFile = Files.createTempFile(directory, NAME, ".new");
        try {
            Files.write(
                    temporaryFile,
                    rules.rules().stream().map(OperatorRules.Rule::line).toList(),
                    StandardCharsets.UTF_8);
            Files.move(
                    temporaryFile,
                    directory.resolve(NAME),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporaryFile);
        }
    }
}
