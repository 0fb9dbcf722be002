package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.UnavailableException;
import io.ballast.dashboard.source.CertificateRevoker.RevocationRefusedException;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.JsonTree;
import java.io.IOException;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateRoutesTest {

    private static final String PATH = "/api/v1/certificates/revoke";

    @AutoClose
    private final DashboardFixture fixture;

    private volatile String asked = "";

    CertificateRoutesTest() throws IOException {
        fixture = new DashboardFixture(1);
        fixture.revoker((name, reason, who) -> {
            asked = name + " " + reason + " " + who;
            return CompletableFuture.completedFuture(true);
        });
    }

    @Test
    void passesNameReasonAndOperatorOn() throws Exception {
        String body = fixture.send("POST", PATH + "?name=*.Shop.example.com&reason=key-compromise&who=alice")
                .body();

        assertThat(JsonTree.of(body).at("ordered").flag()).isTrue();
        assertThat(asked).isEqualTo("*.shop.example.com key-compromise alice");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?name=",
                "?name=localhost",
                "?name=..%2F..%2Fa.b",
                "?name=a%2Fb.example",
                "?name=a.example&name=b.example",
                "?name=a.*.example",
                "?host=a.example"
            })
    void rejectsOtherParameters(String query) throws Exception {
        assertThat(fixture.send("POST", PATH + query).statusCode()).isEqualTo(400);
        assertThat(asked).isEmpty();
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new IllegalArgumentException("reason: x"), 400),
                Arguments.of(new NoSuchElementException("no certificate"), 404),
                Arguments.of(new RevocationRefusedException("unauthorized", new IOException()), 502),
                Arguments.of(new UnavailableException("busy"), 503));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void failureHasStatus(RuntimeException failure, int status) throws Exception {
        fixture.revoker((name, reason, who) -> CompletableFuture.failedFuture(failure));

        assertThat(fixture.send("POST", PATH + "?name=a.example").statusCode()).isEqualTo(status);
    }
}
