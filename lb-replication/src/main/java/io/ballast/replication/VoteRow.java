package io.ballast.replication;

import io.ballast.cluster.observation.Observation;
import io.ballast.cluster.observation.ObservationBoard;
import io.ballast.core.vote.Vote;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Converts votes to observations, and back. The topic names the backend, such as {@code vote/web/10.0.0.7:8080}; the
 * content is a version, the vote (1 for up), each in one byte, and the reason in UTF-8. Stateless.
 */
final class VoteRow {

    private static final String PREFIX = "vote/";
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 2;

    private VoteRow() {}

    /** The topic of a backend; empty if its name is too long. */
    static Optional<String> topic(String backend) {
        String topic = PREFIX + backend;
        return topic.length() > ObservationBoard.MAX_TOPIC_LENGTH ? Optional.empty() : Optional.of(topic);
    }

    static boolean isVote(Observation row) {
        return row.topic().startsWith(PREFIX);
    }

    static String backend(Observation row) {
        return row.topic().substring(PREFIX.length());
    }

    static byte[] encode(Vote vote) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(VERSION);
        bytes.write(vote.isUp() ? 1 : 0);
        bytes.writeBytes(vote.reason().getBytes(StandardCharsets.UTF_8));
        return bytes.toByteArray();
    }

    /** Returns the vote of a row; empty if another version of Ballast wrote the row in an unknown form. */
    static Optional<Vote> decode(Observation row) {
        byte[] content = row.content();
        if (content.length < HEADER_BYTES || content[0] != VERSION) {
            return Optional.empty();
        }
        String reason = new String(content, HEADER_BYTES, content.length - HEADER_BYTES, StandardCharsets.UTF_8);
        return Optional.of(new Vote(row.node(), content[1] == 1, reason));
    }
}
