package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.SeededRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

class HashTest extends StrategyContractTest {

    HashTest() {
        super(StrategyKind.HASH);
    }

    @Test
    void distributesKeysLikeIpHash() {
        List<Member> members = Backends.weighted(5, 2, 2, 1);
        Picker picker = strategy().compile(members);
        Picker byClient =
                Strategies.create(StrategyConfig.of(StrategyKind.IP_HASH)).compile(members);
        SeededRequest request = request();

        for (int i = 0; i < 1000; i++) {
            request.affinity(Hash64.mix(i));
            assertThat(picker.pick(request)).isSameAs(byClient.pick(request));
        }
    }
}
