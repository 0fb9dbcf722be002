package io.ballast.replication.configuration;

import io.ballast.config.shared.ConfigurationBundle;
import io.ballast.config.shared.SharedVersion;
import io.ballast.core.Checks;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * The fact about a version. Immutable.
 *
 * @param version its number and the hash of its content
 * @param data the hash of its compressed content, which names the facts with the content
 * @param chunks the number of these facts
 * @param files the number of files
 * @param bytes the sum of the sizes of the files
 * @param author who applied it
 * @param node the node that proposed it
 * @param rollbackOf the earlier version with this content; 0 if it is not a rollback
 * @param reason why it was rejected; empty otherwise
 */
record VersionFact(
        SharedVersion version,
        String data,
        int chunks,
        int files,
        long bytes,
        String author,
        String node,
        Instant time,
        String note,
        long rollbackOf,
        Outcome outcome,
        String reason) {

    static final String PREFIX = ConfigurationFacts.PREFIX + "version/";

    private static final int MAX_REASON_LENGTH = 1_000;

    /** The outcome of a proposal. */
    enum Outcome {
        /** The outcome is not decided yet, or not recorded. */
        OPEN,
        /** The nodes have accepted the version, and it became active. */
        ACCEPTED,
        REJECTED
    }

    static String key(long number) {
        return PREFIX + number;
    }

    VersionFact with(Outcome other, String why) {
        String text = why.length() <= MAX_REASON_LENGTH ? why : why.substring(0, MAX_REASON_LENGTH) + "…";
        return new VersionFact(version, data, chunks, files, bytes, author, node, time, note, rollbackOf, other, text);
    }

    String encode() {
        return new FactFields()
                .with("number", version.number())
                .with("sha256", version.sha256())
                .with("data", data)
                .with("chunks", chunks)
                .with("files", files)
                .with("bytes", bytes)
                .with("author", author)
                .with("node", node)
                .with("time", time)
                .with("note", note)
                .with("rollback_of", rollbackOf)
                .with("outcome", outcome.name().toLowerCase(Locale.ROOT))
                .with("reason", reason)
                .encode();
    }

    /** Returns a version; empty if another version of Ballast wrote it in an unknown form. */
    static Optional<VersionFact> decode(String text) {
        try {
            FactFields fields = FactFields.parse(text);
            int chunks = Checks.between(Math.toIntExact(fields.number("chunks")), 1, DataFacts.MAX_CHUNKS, "chunks");
            return Optional.of(new VersionFact(
                    new SharedVersion(fields.number("number"), fields.text("sha256")),
                    fields.text("data"),
                    chunks,
                    Checks.between(Math.toIntExact(fields.number("files")), 1, ConfigurationBundle.MAX_FILES, "files"),
                    fields.number("bytes"),
                    fields.text("author"),
                    fields.text("node"),
                    Instant.parse(fields.text("time")),
                    fields.text("note"),
                    fields.number("rollback_of"),
                    Outcome.valueOf(fields.text("outcome").toUpperCase(Locale.ROOT)),
                    fields.text("reason")));
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
            return Optional.empty();
        }
    }
}
