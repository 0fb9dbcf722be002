package io.ballast.server.policy;

import io.ballast.dashboard.source.PolicyActivity;
import io.ballast.http.policy.KeyUsage;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.RecentRefusal;
import io.ballast.policy.key.KeyId;
import java.util.List;

/** The keys and the last refusals of an active policy. Immutable. */
public record NamedPolicyActivity(NamedPolicy policy) implements PolicyActivity {

    @Override
    public List<LimitedKey> heaviestKeys(int max) {
        return max == 0
                ? List.of()
                : policy.policy().heaviestKeys(max).stream()
                        .map(NamedPolicyActivity::key)
                        .toList();
    }

    private static LimitedKey key(KeyUsage usage) {
        return new LimitedKey(
                usage.text(), KeyId.text(usage.id()), usage.refused(), usage.used(), usage.limit(), usage.banSeconds());
    }

    @Override
    public List<RefusedRequest> newestRefusals(int max) {
        return policy.refusals().newest(max).stream()
                .map(NamedPolicyActivity::refusal)
                .toList();
    }

    private static RefusedRequest refusal(RecentRefusal refusal) {
        return new RefusedRequest(
                refusal.time(),
                refusal.client(),
                refusal.identity(),
                refusal.route(),
                refusal.method(),
                refusal.path(),
                refusal.status(),
                refusal.reason(),
                refusal.isDryRun());
    }
}
