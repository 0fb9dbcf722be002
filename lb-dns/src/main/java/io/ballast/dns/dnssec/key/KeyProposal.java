package io.ballast.dns.dnssec.key;

import java.time.Instant;

/**
 * New keys of a zone that a command proposes to the cluster. Immutable.
 *
 * @param id id of the command that waits for the result
 * @param since the time at which the command made the proposal
 * @param base the {@linkplain KeyBundle#hash hash} of the keys on which the proposal is based
 * @param keys the new keys
 */
public record KeyProposal(String id, Instant since, String base, KeyBundle keys) {

    String text() {
        return id + ' ' + since.toEpochMilli() + ' ' + base + '\n' + keys.text();
    }

    /** @throws IllegalArgumentException if the text has another format; the message contains no part of a key */
    static KeyProposal parse(String text) {
        int end = text.indexOf('\n');
        String[] head = end < 0 ? new String[0] : text.substring(0, end).split(" ", -1);
        if (head.length != 3 || !head[1].matches("[0-9]{1,15}")) {
            throw new IllegalArgumentException("malformed first line (expected: an id, a time, and a hash)");
        }
        return new KeyProposal(
                head[0],
                Instant.ofEpochMilli(Long.parseLong(head[1])),
                head[2],
                KeyBundle.parse(text.substring(end + 1)));
    }
}
