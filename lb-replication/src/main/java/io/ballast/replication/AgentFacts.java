package io.ballast.replication;

import io.ballast.agent.node.AgentSharing;
import io.ballast.agent.registry.AgentIdentity;
import io.ballast.agent.registry.RuntimeToken;
import io.ballast.cluster.fact.FactFamily;
import io.ballast.core.control.ControlPlane;
import java.util.List;
import java.util.Map;

/** Shares the agents of this node and their tokens as facts. Thread-safe: all work runs on the control plane. */
final class AgentFacts implements AgentSharing {

    private final ControlPlane control;
    private final AgentIdentityFacts identities;
    private final AgentTokenFacts tokens;

    AgentFacts(ControlPlane control) {
        this.control = control;
        this.identities = new AgentIdentityFacts(control);
        this.tokens = new AgentTokenFacts(control);
    }

    List<FactFamily> families() {
        return List.of(identities, tokens);
    }

    /** Returns whether the cluster has not agreed on a registration on this node yet. */
    boolean isUnshared(String agent) {
        return identities.isUnshared(agent);
    }

    @Override
    public void start(Target target, Map<AgentIdentity, Boolean> all, List<RuntimeToken> created) {
        control.execute(() -> {
            identities.start(target, all);
            tokens.start(target, created);
        });
    }

    @Override
    public void registered(AgentIdentity identity) {
        control.execute(() -> identities.registered(identity));
    }

    @Override
    public void changed(AgentIdentity identity) {
        control.execute(() -> identities.changed(identity));
    }

    @Override
    public void dropped(String id) {
        control.execute(() -> identities.dropped(id));
    }

    @Override
    public void tokenChanged(RuntimeToken token) {
        control.execute(() -> tokens.changed(token));
    }
}
