@NullMarked
package io.ballast.replication.certificate;

import org.jspecify.annotations.NullMarked;
