package io.ballast.replication;

import io.ballast.agent.node.AgentSharing;
import io.ballast.agent.registry.AgentJsonForm;
import io.ballast.agent.registry.RuntimeToken;
import io.ballast.cluster.fact.FactBound;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the tokens for agents that operators create and revoke at run time equal on all nodes. The key of a fact is
 * {@code token/HASH}. A revoked token keeps its fact, so that a node that was away cannot bring it back.
 */
final class AgentTokenFacts extends SyncedFamily<RuntimeToken> {

    static final String PREFIX = "token/";

    private static final FactBound BOUND = new FactBound(/* facts= */ 1_000, /* bytes= */ 4 << 20);

    private AgentSharing.@Nullable Target target;
    private List<RuntimeToken> local = List.of();
    private boolean isNewMember;

    AgentTokenFacts(ControlPlane control) {
        super(PREFIX, BOUND, control);
    }

    /** Begins to change the tokens of this node. Called once. */
    void start(AgentSharing.Target node, List<RuntimeToken> tokens) {
        target = node;
        local = tokens;
        if (isReady()) {
            reconcile();
        }
    }

    private void reconcile() {
        AgentSharing.Target node = target;
        if (node == null) {
            return;
        }
        Map<String, RuntimeToken> shared = values();
        for (RuntimeToken each : local) {
            String key = PREFIX + each.hash();
            if (shared.containsKey(key)) {
                continue;
            }
            if (isNewMember) {
                change(key, each);
            } else {
                node.adoptToken(each.hash(), Optional.empty());
            }
        }
        shared.values().forEach(token -> node.adoptToken(token.hash(), Optional.of(token)));
        local = List.of();
    }

    /** Called when an operator of this node has created or revoked a token. */
    void changed(RuntimeToken token) {
        changeWhenReady(PREFIX + token.hash(), token);
    }

    @Override
    Optional<RuntimeToken> decode(String key, String text) {
        try {
            return Optional.of(AgentJsonForm.token(text)).filter(token -> key.equals(PREFIX + token.hash()));
        } catch (IOException e) {
            return Optional.empty(); // another version of Ballast has written the fact
        }
    }

    @Override
    String encode(RuntimeToken value) {
        return AgentJsonForm.text(value);
    }

    @Override
    String subject(String key) {
        RuntimeToken known = values().get(key);
        return known == null ? "agent token" : "agent token " + known.name();
    }

    @Override
    Origin origin() {
        return Origin.AGENT;
    }

    @Override
    void publish() {
        isNewMember = true;
        reconcile();
    }

    @Override
    void adoptAll() {
        reconcile();
    }

    @Override
    void adopt(@Nullable RuntimeToken before, @Nullable RuntimeToken after) {
        RuntimeToken changed = after == null ? before : after;
        if (target != null && changed != null) {
            target.adoptToken(changed.hash(), Optional.ofNullable(after));
        }
    }
}
