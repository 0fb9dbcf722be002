package io.ballast.config.keys.pool;

import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.SecretType;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.config.keys.common.Percents;
import io.ballast.core.config.agent.AgentApproval;
import io.ballast.core.config.agent.AgentToken;
import io.ballast.core.config.agent.AgentTokenHash;
import io.ballast.core.config.agent.PoolAgents;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;

/** The keys of {@code pools.NAME.agents}. */
final class PoolAgentsKeys {

    private static final String EXPECTED_TIME = "a time such as 2027-01-31T12:00:00Z";

    private static final ShapeBuilder<AgentToken> TOKEN_KEYS = Shape.named(
            "agent_token",
            "A token with which agents register for a pool. To replace a token, add the new one before you remove the"
                    + " old one.");
    private static final Key<String> NAME = TOKEN_KEYS.required(
            "name",
            Scalars.matching("name", "a name of at most 32 letters, digits and . _ - @", AgentToken.NAME_PATTERN),
            "name of the token, shown with the agents that registered with it",
            AgentToken::name);
    private static final Key<AgentTokenHash> HASH = TOKEN_KEYS.required(
            "hash",
            SecretType.of(
                    "SHA-256 hash",
                    "sha256: and 64 hexadecimal digits, as lb tokens create prints them",
                    AgentTokenHash.PATTERN,
                    AgentTokenHash::parse,
                    AgentTokenHash::text),
            "the SHA-256 of the token; lb tokens create prints a token and its hash",
            AgentToken::hash);
    private static final Key<Instant> EXPIRES = TOKEN_KEYS.optional(
            "expires",
            Scalars.TEXT.map(PoolAgentsKeys::time, Instant::toString),
            "time after which no agent can register with the token, such as 2027-01-31T12:00:00Z; registered agents stay;"
                    + " default: never",
            AgentToken::expires);

    private static final Type<AgentToken> TOKEN =
            TOKEN_KEYS.build(values -> new AgentToken(values.get(NAME), values.get(HASH), values.find(EXPIRES)));

    private static final ShapeBuilder<PoolAgents> KEYS =
            Shape.named("pool_agents", "The agents that may add backends to a pool.");
    private static final Key<List<AgentToken>> TOKENS = KEYS.optional(
            "tokens",
            ListType.of(TOKEN).unique("name", AgentToken::name),
            List.of(),
            "tokens for the first registration of an agent, at most 32; lb tokens create can add further ones at run time",
            PoolAgents::tokens);
    private static final Key<Integer> MAX_BACKENDS = KEYS.optional(
            "max_backends",
            Scalars.integer(1, PoolAgents.LARGEST_MAX_BACKENDS),
            PoolAgents.DEFAULT_MAX_BACKENDS,
            "maximum number of backends that agents may add to the pool; further ones are refused",
            PoolAgents::maxBackends);
    private static final Key<AgentApproval> APPROVE = KEYS.optional(
            "approve",
            EnumWords.of(AgentApproval.class),
            PoolAgents.DEFAULT_APPROVAL,
            "auto: a token suffices; manual: an operator has to approve each new agent with lb agents approve",
            PoolAgents::approval);
    private static final Key<Integer> MAX_DRAINED = KEYS.optional(
            "max_drained",
            Percents.PERCENT,
            PoolAgents.DEFAULT_MAX_DRAINED_PERCENT,
            "maximum share of the backends of agents whose weight is reduced at the same time because of their load;"
                    + " above 0%, at least one of several backends may have a reduced weight",
            PoolAgents::maxDrainedPercent);

    static final Type<PoolAgents> AGENTS = KEYS.build(values ->
            new PoolAgents(values.get(TOKENS), values.get(MAX_BACKENDS), values.get(APPROVE), values.get(MAX_DRAINED)));

    private PoolAgentsKeys() {}

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("expires: " + text + " (expected: " + EXPECTED_TIME + ")", e);
        }
    }
}
