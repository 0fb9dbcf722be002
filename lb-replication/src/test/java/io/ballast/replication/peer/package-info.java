@NullMarked
package io.ballast.replication.peer;

import org.jspecify.annotations.NullMarked;
