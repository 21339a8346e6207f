"""Groups that act on vectors: shifts of positions, poses, orientations, strands of DNA."""

from posenc.geometry.dna_strands import mirror_pairs, reverse_complement
from posenc.geometry.groups import group_matrices
from posenc.geometry.orientations import (
    rotation_from_quaternion,
    rotation_from_six,
    six_from_rotation,
)
from posenc.geometry.poses import apply_poses, pose_matrices, relative_poses

__all__ = [
    "apply_poses",
    "group_matrices",
    "mirror_pairs",
    "pose_matrices",
    "relative_poses",
    "reverse_complement",
    "rotation_from_quaternion",
    "rotation_from_six",
    "six_from_rotation",
]
