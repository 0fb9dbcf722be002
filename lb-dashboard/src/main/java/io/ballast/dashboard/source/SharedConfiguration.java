package io.ballast.dashboard.source;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;

/**
 * The versions of the configuration that the nodes of a cluster share. Thread safety: any thread may call any method.
 */
public interface SharedConfiguration {

    /** The states of a version. */
    enum State {
        /** The version is being stored or checked. */
        CHECKING,
        ACTIVE,
        /** Another version has replaced this version. */
        SUPERSEDED,
        /** A node has refused this version, or has not answered. */
        REJECTED
    }

    /**
     * A version of the configuration.
     *
     * @param sha256 the hash of the content
     * @param author the user who applied the version
     * @param node the node that proposed the version
     * @param files the number of files
     * @param bytes the sum of the sizes of the files
     * @param rollbackOf the earlier version whose content a rollback has applied again; 0 if this version is no
     *     rollback
     * @param reason why the version was rejected; empty otherwise
     */
    record Version(
            long number,
            String sha256,
            State state,
            String author,
            String node,
            Instant time,
            String note,
            int files,
            long bytes,
            long rollbackOf,
            String reason) {}

    /**
     * The answer from a node to a proposed version.
     *
     * @param errors the errors, as {@code lb check} prints them; empty if the node accepts the version
     */
    record Verdict(String node, boolean isAccepted, boolean isLocal, List<String> errors) {
        public Verdict {
            errors = List.copyOf(errors);
        }
    }

    /**
     * The configuration that a node uses.
     *
     * @param isLocal whether the node always uses its own file
     * @param version the number of the version in use; 0 if the node uses its own file
     * @param sha256 the hash of this version; empty if the node uses its own file
     * @param failure why the node does not use the active version; empty if the node uses it, or has not tried to use
     *     it yet
     */
    record NodeState(String node, boolean isLocal, long version, String sha256, String failure) {}

    /**
     * The result of a proposal.
     *
     * @param nodes the configurations that the connected nodes use; empty unless the version is active
     */
    record Result(Version version, List<Verdict> verdicts, List<NodeState> nodes) {
        public Result {
            verdicts = List.copyOf(verdicts);
            nodes = List.copyOf(nodes);
        }
    }

    /** Returns the stored versions, the oldest first. */
    List<Version> versions();

    /** Returns the configurations that this node and the connected nodes use, by the name of the node. */
    List<NodeState> nodes();

    /** Returns the files of a version by their paths; empty if there is no such version. */
    Optional<SortedMap<String, byte[]>> files(long number);

    /**
     * Adds a part of a compressed configuration.
     *
     * @param upload the SHA-256 of the whole compressed configuration, as hexadecimal digits
     * @param offset the number of bytes that were sent before; 0 starts a new upload
     * @throws IllegalArgumentException if the offset is not the end of the previous part, or the whole configuration is
     *     too large
     */
    void upload(String upload, int offset, byte[] part);

    /**
     * Proposes an uploaded configuration. It becomes active if all connected nodes accept it.
     *
     * @param upload as in {@link #upload}
     * @param wait the time that the nodes have for their answers
     * @return the result. The future fails with {@link IllegalArgumentException} if there is no such upload or the
     *     upload is malformed, with {@link io.ballast.core.control.UnavailableException} without a majority, and with
     *     {@link io.ballast.core.control.RejectedChangeException} if another version is being applied
     */
    CompletableFuture<Result> apply(String upload, String author, String note, Duration wait);

    /**
     * Proposes the content of an earlier version again, as a new version.
     *
     * @param number the earlier version; if absent, the version that was active before the present version
     * @return the result, like {@link #apply}
     */
    CompletableFuture<Result> rollback(Optional<Long> number, String author, String note, Duration wait);
}
