package io.ballast.replication.configuration;

import java.time.Duration;

/**
 * A configuration that is proposed as the active version.
 *
 * @param content its files
 * @param rollbackOf the earlier version with this content; 0 if it is not a rollback
 * @param author the operator who applies it
 * @param answerTime the time that the nodes have for their answers
 */
record Proposal(CompressedBundle content, long rollbackOf, String author, String note, Duration answerTime) {}
