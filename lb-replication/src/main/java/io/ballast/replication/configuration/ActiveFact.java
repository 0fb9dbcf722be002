package io.ballast.replication.configuration;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * The fact about the active version, and about the proposal that may replace it. Each step of a proposal replaces this
 * fact, so there is one proposal at a time. Immutable.
 *
 * @param active the number of the active version; 0 if there is none
 */
record ActiveFact(long active, Optional<Claim> claim) {

    static final String KEY = ConfigurationFacts.PREFIX + "active";
    static final ActiveFact NONE = new ActiveFact(0, Optional.empty());

    /** The steps of a proposal before the decision. */
    enum Step {
        /** The node that proposes the version stores the content. */
        PREPARING,
        /** The nodes check the version. */
        CHECKING
    }

    /**
     * A proposal.
     *
     * @param number the number of the proposed version
     * @param node the node that proposes it
     * @param token unique for each proposal
     * @param author the operator who applies it
     * @param until the deadline of the proposal, by the clock of its node
     */
    record Claim(long number, Step step, String node, String token, String author, Instant until) {

        Claim with(Step next) {
            return new Claim(number, next, node, token, author, until);
        }
    }

    boolean isClaimedBy(String token) {
        return claim.filter(present -> present.token().equals(token)).isPresent();
    }

    String encode() {
        FactFields fields = new FactFields().with("active", active);
        claim.ifPresent(present -> fields.with("proposed", present.number())
                .with("step", present.step().name().toLowerCase(Locale.ROOT))
                .with("node", present.node())
                .with("token", present.token())
                .with("author", present.author())
                .with("until", present.until()));
        return fields.encode();
    }

    /** Returns the fact; empty if another version of Ballast wrote it in an unknown form. */
    static Optional<ActiveFact> decode(String text) {
        try {
            FactFields fields = FactFields.parse(text);
            Optional<Claim> claim = fields.has("proposed")
                    ? Optional.of(new Claim(
                            fields.number("proposed"),
                            Step.valueOf(fields.text("step").toUpperCase(Locale.ROOT)),
                            fields.text("node"),
                            fields.text("token"),
                            fields.text("author"),
                            Instant.parse(fields.text("until"))))
                    : Optional.empty();
            return Optional.of(new ActiveFact(fields.number("active"), claim));
        } catch (IllegalArgumentException | DateTimeException e) {
            return Optional.empty();
        }
    }
}
