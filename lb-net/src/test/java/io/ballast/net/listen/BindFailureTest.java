package io.ballast.net.listen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.BindException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BindFailureTest {

    /** Tests the messages of NIO, epoll and direct sockets. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Permission denied",
                "bind(..) failed with error(-13): Permission denied",
                "Permission denied (bind)"
            })
    void lowPortErrorNamesCapability(String message) {
        assertThat(BindFailure.reason(53, new IOException(message)))
                .startsWith("no permission to bind a port below 1024")
                .contains("CAP_NET_BIND_SERVICE", "ip_unprivileged_port_start");
    }

    @Test
    void otherPermissionErrorIsUnchanged() {
        assertThat(BindFailure.reason(8000, new BindException("Permission denied")))
                .isEqualTo("Permission denied");
    }

    /** Tests the messages of native sockets and of NIO. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "socket(..) failed with error(-97): Address family not supported by protocol",
                "IPv6 protocol family unavailable"
            })
    void machineWithoutIpv6GetsAdvice(String message) {
        assertThat(BindFailure.reason(80, new IOException(message)))
                .isEqualTo("this machine has no IPv6 (use an IPv4 address; 0.0.0.0 accepts clients on all of them)");
    }

    @Test
    void portInUseAndForeignAddressHavePlainErrors() {
        assertThat(BindFailure.reason(80, new BindException("Address already in use (Bind failed)")))
                .isEqualTo("the port is already in use");
        assertThat(BindFailure.reason(80, new BindException("Cannot assign requested address")))
                .isEqualTo("no network interface of this machine has this address");
        assertThat(BindFailure.reason(80, new IOException("Protocol not supported")))
                .isEqualTo("Protocol not supported");
    }
}
