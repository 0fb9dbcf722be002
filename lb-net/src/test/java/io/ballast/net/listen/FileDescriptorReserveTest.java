package io.ballast.net.listen;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.ConnectException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FileDescriptorReserveTest {

    private final FileDescriptorReserve descriptors = new FileDescriptorReserve(() -> 0);

    @AfterEach
    void release() {
        descriptors.releaseReserve("the end of the test");
    }

    @Test
    void recognizesShortageByMessage() {
        assertThat(FileDescriptorReserve.isDescriptorExhaustion(new IOException("Too many open files")))
                .isTrue();
        assertThat(FileDescriptorReserve.isDescriptorExhaustion(new IOException("Too many open files in system")))
                .isTrue();
    }

    /** Tests the exception that Netty throws when a channel could not be created. */
    @Test
    void recognizesShortageByCause() {
        Throwable nio = new ChannelException("Failed to open a socket.", new IOException("Too many open files"));

        assertThat(FileDescriptorReserve.isDescriptorExhaustion(
                        new ChannelException("Unable to create Channel", new InvocationTargetException(nio))))
                .isTrue();
    }

    @Test
    void otherFailuresAreNoShortage() {
        assertThat(FileDescriptorReserve.isDescriptorExhaustion(new ConnectException("Connection refused")))
                .isFalse();
        assertThat(FileDescriptorReserve.isDescriptorExhaustion(new IOException((String) null)))
                .isFalse();
    }

    @Test
    void reserveIsReleasedOnceAndRestored() {
        descriptors.reserve(3);
        assertThat(descriptors.isShort()).isFalse();

        assertThat(descriptors.releaseReserve("accept")).isTrue();
        assertThat(descriptors.releaseReserve("accept")).isFalse();
        assertThat(descriptors.isShort()).isTrue();

        assertThat(descriptors.hasRecovered()).isTrue();
        assertThat(descriptors.isShort()).isFalse();
        assertThat(descriptors.releaseReserve("accept")).isTrue();
    }

    @Test
    void reserveIsOneEighthUpToLimit() {
        assertThat(FileDescriptorReserve.reserveOf(300)).isEqualTo(37);
        assertThat(FileDescriptorReserve.reserveOf(1_048_576)).isEqualTo(FileDescriptorReserve.MAX_RESERVE);
    }
}
