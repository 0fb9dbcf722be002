package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.backend.HealthStatus.LastCheck;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealthMachineTest {

    private static final int RISE = 2;
    private static final int FALL = 3;

    /**
     * Steps: {@code +} check ok, {@code -} check failed, {@code !} request failed, {@code a} request answered,
     * {@code d} drain, {@code f} force up, {@code e} enable, {@code x} eject, {@code r} readmit. States, one after each
     * step: {@code ?} unknown, {@code U} up, {@code D} down, {@code X} draining, {@code E} ejected.
     */
    @ParameterizedTest(name = "{displayName} [{index}]: {0} then {1} gives {2}, because {3}")
    @CsvSource(delimiter = '|', textBlock = """
        UNKNOWN  | +       | U       | the first check decides
        UNKNOWN  | -       | D       | the first check decides
        UNKNOWN  | --      | DD      | a second failure says nothing new
        UNKNOWN  | !!!     | ??D     | fall requests take down what no check has seen
        UNKNOWN  | !!+!!   | ??UUU   | the first check forgets failed requests
        UNKNOWN  | +---    | UUUD    | the first check counts toward nothing later
        UP       | ---     | UUD     | fall failures in a row
        UP       | --+--   | UUUUU   | a success in between
        UP       | --+---  | UUUUUD  | the row starts anew
        UP       | !!!     | UUD     | failed requests count toward fall
        UP       | -!-     | UUD     | checks and requests add up
        UP       | !-!     | UUD     | checks and requests add up
        UP       | !!a!!   | UUUUU   | an answer forgets failed requests
        UP       | --a-    | UUUD    | an answer does not forget failed checks
        UP       | !!+!!   | UUUUU   | a good check forgets failed requests
        DOWN     | ++      | DU      | rise successes in a row
        DOWN     | +-+     | DDD     | a failure in between
        DOWN     | +-++    | DDDU    | the row starts anew
        DOWN     | +!+     | DDU     | requests that set out before say nothing new
        DOWN     | ++---++ | DUUUDDU | there and back
        DOWN     | !!!++-  | DDDDUU  | nothing is kept from while it was down
        DOWN     | ---++-  | DDDDUU  | nothing is kept from while it was down
        UP       | ++---+  | UUUUDD  | successes while up do not count toward rise
        UP       | de      | XU      | enabling shows what was before
        UP       | d---e   | XXXXD   | the verdict goes on underneath
        DOWN     | d++e    | XXXU    | the verdict goes on underneath
        UNKNOWN  | de      | X?      | nothing was learned meanwhile
        UNKNOWN  | d+e     | XXU     | the first check decides underneath
        UP       | dde     | XXU     | draining twice is draining
        UP       | ee      | UU      | enabling what is enabled
        UP       | xr      | EU      | ejected, and back
        UNKNOWN  | xr      | E?      | ejected, and back
        UNKNOWN  | x+r     | EEU     | the verdict goes on underneath
        UP       | x---    | EEED    | checks find it down as usual
        UP       | x---++  | EEEDDU  | being down ends the ejection
        UP       | x---r   | EEEDD   | an ejection that has ended has no second end
        DOWN     | xr      | DD      | what is out already is not ejected
        UP       | dxe     | XXU     | what is out already is not ejected
        UP       | xde     | EXE     | enabling shows what was before
        UP       | xdre    | EXXU    | the ejection ends underneath
        EJECTED  | r       | U       | it took traffic before
        DOWN     | fe      | UD      | a forced state covers the verdict
        DOWN     | f++e    | UUUU    | the verdict goes on underneath
        UP       | f---e   | UUUUD   | checks do not take down what is forced up
        UP       | df      | XU      | a later order replaces an earlier one
        UP       | fx      | UU      | what is forced up is not ejected
        DRAINING | e       | ?       | what was covered is not known
        DRAINING | +e      | XU      | the first check decides underneath
        """)
    void followsTransitionTable(BackendState start, String steps, String states, String because) {
        HealthMachine machine = machine(start);

        StringBuilder actual = new StringBuilder();
        for (int i = 0; i < steps.length(); i++) {
            char step = steps.charAt(i);
            BackendState before = machine.state();
            HealthChange change = apply(machine, step);
            actual.append(letter(machine.state()));
            if (machine.state() == before) {
                assertThat(change == null || "fe".indexOf(step) >= 0).isTrue();
            } else {
                assertThat(change).isNotNull();
                assertThat(change.from()).isEqualTo(before);
                assertThat(change.to()).isEqualTo(machine.state());
            }
        }

        assertThat(actual).hasToString(states);
    }

    @Test
    void checkTextBecomesReason() {
        HealthChange change = machine(BackendState.UNKNOWN).onCheck(/* ok= */ true, "200 OK");

        assertThat(change).isEqualTo(new HealthChange(BackendState.UNKNOWN, BackendState.UP, Origin.CHECK, "200 OK"));
    }

    @Test
    void decisiveFailureProvidesOriginAndReason() {
        HealthMachine byCheck = machine(BackendState.UP);
        byCheck.onFailedRequests(2, "connection refused");
        HealthMachine byRequest = machine(BackendState.UP);
        byRequest.onCheck(/* ok= */ false, "no answer within 1s");
        byRequest.onCheck(/* ok= */ false, "no answer within 1s");

        assertThat(byCheck.onCheck(/* ok= */ false, "status 503"))
                .isEqualTo(new HealthChange(BackendState.UP, BackendState.DOWN, Origin.CHECK, "status 503"));
        assertThat(byRequest.onFailedRequests(1, "connection refused"))
                .isEqualTo(new HealthChange(BackendState.UP, BackendState.DOWN, Origin.PASSIVE, "connection refused"));
    }

    @Test
    void countsBatchedRequestFailures() {
        HealthMachine machine = machine(BackendState.UP);

        assertThat(machine.onFailedRequests(FALL - 1, "reset")).isNull();
        assertThat(machine.onFailedRequests(Integer.MAX_VALUE, "reset"))
                .isEqualTo(new HealthChange(BackendState.UP, BackendState.DOWN, Origin.PASSIVE, "reset"));
    }

    @Test
    void overridesNameTheOperator() {
        HealthMachine machine = machine(BackendState.UP);

        assertThat(machine.applyOverride(BackendState.DRAINING, "ann"))
                .isEqualTo(
                        new HealthChange(BackendState.UP, BackendState.DRAINING, Origin.OPERATOR, "override by ann"));
        assertThat(machine.enable("bob"))
                .isEqualTo(new HealthChange(BackendState.DRAINING, BackendState.UP, Origin.OPERATOR, "enabled by bob"));
    }

    @Test
    void enablingDownBackendKeepsDownReason() {
        HealthMachine machine = machine(BackendState.UNKNOWN);
        machine.applyOverride(BackendState.DRAINING, "ann");
        machine.onCheck(/* ok= */ false, "connection refused");

        assertThat(machine.enable("ann"))
                .isEqualTo(new HealthChange(
                        BackendState.DRAINING,
                        BackendState.DOWN,
                        Origin.OPERATOR,
                        "enabled by ann, but: connection refused"));
    }

    @ParameterizedTest
    @CsvSource({
        "UNKNOWN, true, true",
        "UNKNOWN, false, true",
        "UP, true, false",
        "UP, false, true",
        "DOWN, true, true",
        "DOWN, false, false"
    })
    void aCheckDisputesAVerdictThatItDoesNotConfirm(BackendState state, boolean ok, boolean disputed) {
        assertThat(machine(state).isDisputedBy(ok)).isEqualTo(disputed);
    }

    @ParameterizedTest
    @CsvSource({"UNKNOWN, UP, false", "UP, DOWN, true", "DOWN, UP, true", "UP, DRAINING, true", "DOWN, DRAINING, false"
    })
    void usabilityChangesWithWhetherTrafficMayGoThere(BackendState from, BackendState to, boolean changes) {
        assertThat(new HealthChange(from, to, Origin.CHECK, "").changesUsability())
                .isEqualTo(changes);
    }

    private static HealthMachine machine(BackendState state) {
        return new HealthMachine(
                new HealthConfig(new HealthCheck.Tcp(), Duration.ofSeconds(5), Duration.ofSeconds(1), RISE, FALL),
                new HealthStatus(state, Instant.EPOCH, Origin.START, "at first", LastCheck.NONE),
                state == BackendState.DRAINING ? Optional.of(MonitoredPools.drain("ann")) : Optional.empty(),
                /* source= */ Optional.empty(),
                /* report= */ Optional.empty());
    }

    private static HealthChange apply(HealthMachine machine, char step) {
        return switch (step) {
            case '+' -> machine.onCheck(/* ok= */ true, "ok");
            case '-' -> machine.onCheck(/* ok= */ false, "failed");
            case '!' -> machine.onFailedRequests(1, "refused");
            case 'd' -> machine.applyOverride(BackendState.DRAINING, "ann");
            case 'f' -> machine.applyOverride(BackendState.UP, "bob");
            case 'e' -> machine.enable("ann");
            case 'x' -> machine.eject("requests failed");
            case 'r' -> machine.readmit("long enough");
            case 'a' -> {
                machine.onAnswer();
                yield null;
            }
            default -> throw new IllegalArgumentException("step: " + step);
        };
    }

    private static char letter(BackendState state) {
        return switch (state) {
            case UNKNOWN -> '?';
            case DRAINING -> 'X';
            default -> state.label().toUpperCase(Locale.ROOT).charAt(0);
        };
    }
}
