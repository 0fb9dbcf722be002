package io.ballast.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.PortUnreachableException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ErrorTextTest {

    @Test
    void textContainsFileAndReason() {
        assertThat(ErrorText.of(new AccessDeniedException("/etc/x"))).isEqualTo("/etc/x: permission denied");
        assertThat(ErrorText.of(new NoSuchFileException("/etc/x"))).isEqualTo("/etc/x: no such file or directory");
        assertThat(ErrorText.of(new NotDirectoryException("/etc/x"))).isEqualTo("/etc/x: not a directory");
        assertThat(ErrorText.of(new FileSystemException("/etc/x", null, "No space left on device")))
                .isEqualTo("/etc/x: no space left on device");
        assertThat(ErrorText.of(new FileSystemException("/etc/x")))
                .isEqualTo("/etc/x: the file system rejected the operation");
    }

    @Test
    void reasonOmitsFile() {
        assertThat(ErrorText.reason(new AccessDeniedException("/etc/x"))).isEqualTo("permission denied");
    }

    @Test
    void ownMessageIsUnchanged() {
        assertThat(ErrorText.of(new IOException("zone example.com: expired"))).isEqualTo("zone example.com: expired");
    }

    @Test
    void exceptionWithoutAMessageIsDescribed() {
        assertThat(ErrorText.of(new ClosedChannelException())).isEqualTo("the connection is closed");
        assertThat(ErrorText.of(new ConnectException())).isEqualTo("cannot connect");
        assertThat(ErrorText.of(new PortUnreachableException())).isEqualTo("port unreachable");
        assertThat(ErrorText.of(new EOFException(" "))).isEqualTo("eof");
        assertThat(ErrorText.of(new UnknownHostException("db.internal"))).isEqualTo("db.internal: unknown host");
        assertThat(ErrorText.of(new RuntimeException() {})).isEqualTo("unknown error");
    }

    @Test
    void longMessageIsTruncated() {
        String quoted = "x".repeat(ErrorText.MAX_CHARS);

        assertThat(ErrorText.of(new IOException(quoted))).isEqualTo(quoted);
        assertThat(ErrorText.of(new IOException(quoted + "yz"))).isEqualTo(quoted + "… (2002 characters)");
        assertThat(ErrorText.of(new UnknownHostException(quoted + "yz"))).hasSizeLessThan(quoted.length() + 50);
        assertThat(ErrorText.reason(new IOException(quoted.substring(1) + "😀z")))
                .isEqualTo(quoted.substring(1) + "… (2002 characters)");
    }

    @Test
    void wrappersAreUnwrapped() {
        assertThat(ErrorText.of(new CompletionException(new AccessDeniedException("/etc/x"))))
                .isEqualTo("/etc/x: permission denied");
    }

    @Test
    void realFileSystemErrorsAreDescribed(@TempDir Path directory) {
        Path missing = directory.resolve("no/such");
        try {
            Files.readString(missing);
        } catch (IOException e) {
            assertThat(ErrorText.of(e)).isEqualTo(missing + ": no such file or directory");
            return;
        }
        throw new AssertionError("read a file that is missing");
    }
}
