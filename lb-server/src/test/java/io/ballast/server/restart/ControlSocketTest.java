package io.ballast.server.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class ControlSocketTest {

    @TempDir
    private Path directory;

    @Test
    void answersSequentialRequests() throws IOException {
        try (ControlSocket control = open()) {
            assertThat(request("first\n")).isEqualTo("did first");
            assertThat(request("second\n")).isEqualTo("did second");
            assertThat(control).isNotNull();
        }
    }

    @Test
    void rejectsInvalidInput() throws IOException {
        try (ControlSocket control = open()) {
            assertThat(request("x".repeat(256))).isNull();
            assertThat(request("after\n")).isEqualTo("did after");
            assertThat(control).isNotNull();
        }
    }

    @Test
    void acceptsOnlySameUser() throws IOException {
        try (ControlSocket control = open()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path())))
                    .isEqualTo("rw-------");
            assertThat(control).isNotNull();
        }
        assertThat(path()).doesNotExist();
    }

    @Test
    void keepsSocketOfRunningProcessAndReplacesStaleOne() throws IOException {
        try (ControlSocket control = open()) {
            assertThatThrownBy(this::open).hasMessageContaining("belongs to another process");
            assertThat(request("still\n")).isEqualTo("did still");
            assertThat(control).isNotNull();
        }
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(path()));
        }
        assertThat(path()).exists();
        try (ControlSocket control = open()) {
            assertThat(request("again\n")).isEqualTo("did again");
            assertThat(control).isNotNull();
        }
    }

    private ControlSocket open() throws IOException {
        return ControlSocket.open(directory.resolve("data"), (request, answer) -> answer.accept("did " + request));
    }

    private Path path() {
        return directory.resolve("data").resolve(ControlSocket.NAME);
    }

    private @Nullable String request(String request) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path()))) {
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8)));
            return new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8)).readLine();
        }
    }
}
