package io.ballast.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.policy.PolicyVersion;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestSource;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the transfer of files that are sent in several parts. */
class FileTransferTest {

    private static final String GET = "GET /large HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final int LARGE = 20_000_000;

    @TempDir
    private Path root;

    @AfterEach
    void closesAllFiles() {
        long end = System.nanoTime() + 10_000_000_000L;
        while (FileThreads.SHARED.responses() > 0 && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(FileThreads.SHARED.responses()).isZero();
    }

    private Path sparse(String name, long length) throws Exception {
        Path file = root.resolve(name);
        try (RandomAccessFile created = new RandomAccessFile(file.toFile(), "rw")) {
            created.setLength(length);
        }
        return file;
    }

    @ParameterizedTest
    @EnumSource
    void sendsFileOfSeveralParts(PolicyVersion version) throws Exception {
        FileSite site = new FileSite(root);
        for (int length : new int[] {FileThreads.LONG_PIECE_BYTES, FileThreads.LONG_PIECE_BYTES + 1, 1_000_000}) {
            String content = TestSource.body(length);
            site.write("f" + length, content);
            try (TestBalancer balancer = site.start()) {
                assertThat(FileSite.get(balancer, version, "/f" + length).body())
                        .isEqualTo(content);
                assertThat(FileSite.get(balancer, version, "/f" + length, "Range", "bytes=7-")
                                .body())
                        .isEqualTo(content.substring(7));
            }
        }
    }

    @Test
    void slowClientHoldsLittleMemory() throws Exception {
        sparse("large", LARGE);
        try (TestBalancer balancer = new FileSite(root).start()) {
            List<Http2Client> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                Http2Client client = Http2Client.connect(balancer.port()).keepingWindows();
                client.get("/large");
                clients.add(client);
            }
            balancer.await("all files are open", () -> FileThreads.SHARED.responses() == 20);
            balancer.awaitStandstill(balancer::buffersInUse, 1);
            assertThat(balancer.buffersInUse()).isLessThan(20 * 4L * FileThreads.LONG_PIECE_BYTES);
            clients.forEach(Http2Client::close);
        }
    }

    @Test
    void clientDetectsThatFileBecameShorter() throws Exception {
        Path file = sparse("large", LARGE);
        try (TestBalancer balancer = new FileSite(root).start();
                RawClient client = balancer.client()) {
            client.send(GET);
            assertThat(client.readHead()).contains("Content-Length: " + LARGE + "\r\n");
            balancer.awaitStandstill(balancer::buffersInUse, 1);
            try (RandomAccessFile shortened = new RandomAccessFile(file.toFile(), "rw")) {
                shortened.setLength(1000);
            }
            assertThat(client.readToEnd().length()).isLessThan(LARGE);
            balancer.await("the failure is counted", () -> balancer.count(Failure.LOCAL_RESPONSE_FAILED) == 1);
        }
    }

    @Test
    void replacedAndDeletedFileIsSentCompletely() throws Exception {
        Path file = sparse("large", LARGE);
        try (TestBalancer balancer = new FileSite(root).start();
                RawClient client = balancer.client()) {
            client.send(GET);
            client.readHead();
            Files.delete(file);
            Files.writeString(file, "new");

            assertThat(client.readExactly(LARGE)).hasSize(LARGE);
            assertThat(client.send(GET).read().body()).isEqualTo("new");
        }
    }

    @Test
    void disconnectClosesFile() throws Exception {
        sparse("large", LARGE);
        try (TestBalancer balancer = new FileSite(root).start()) {
            for (int i = 0; i < 50; i++) {
                try (RawClient client = balancer.client()) {
                    client.send(GET);
                    if (i % 2 == 0) {
                        client.readHead();
                    }
                    client.reset();
                }
            }
            balancer.await("all files are closed", () -> FileThreads.SHARED.responses() == 0);
            assertThat(new FileSite(root).write("a", "a")).exists();
            assertThat(FileSite.get(balancer, PolicyVersion.HTTP_1, "/a").body())
                    .isEqualTo("a");
        }
    }

    @Test
    void manyResponsesReadShorterParts() {
        FileThreads threads = new FileThreads(/* threads= */ 1, FileThreads.MAX_RESPONSES);
        for (int i = 0; i < FileThreads.FEW_RESPONSES; i++) {
            assertThat(threads.tryBegin()).isTrue();
        }

        assertThat(threads.pieceBytes()).isEqualTo(FileThreads.LONG_PIECE_BYTES);
        assertThat(threads.tryBegin()).isTrue();
        assertThat(threads.pieceBytes()).isEqualTo(FileThreads.SHORT_PIECE_BYTES);
    }

    @Test
    void concurrentResponsesAreLimited() {
        FileThreads threads = new FileThreads(/* threads= */ 1, /* maxResponses= */ 2);

        assertThat(threads.tryBegin()).isTrue();
        assertThat(threads.tryBegin()).isTrue();
        assertThat(threads.tryBegin()).isFalse();
        threads.end();
        assertThat(threads.tryBegin()).isTrue();
    }
}
