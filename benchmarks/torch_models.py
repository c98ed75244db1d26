"""The models of steps.py in PyTorch, eagerly: the same shapes, batches and optimizers."""
from __future__ import annotations

import torch
from steps import RANDOM, floats, labels
from torch import nn
from torch.nn import functional


def weights(*shape):
    """A parameter of small random numbers."""
    return nn.Parameter(torch.from_numpy((RANDOM.randn(*shape) * 0.05).astype("f4")))


def trained(model, parameters, images, classes, optimizer=None):
    """What trains a classifier for one step."""
    parameters = list(parameters)
    optimizer = optimizer(parameters) if optimizer else torch.optim.Adam(parameters, 1e-3)
    x, y = torch.from_numpy(images), torch.from_numpy(labels(len(images), classes)).long()

    def step():
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


def perceptron(sizes, batch, optimizer=None):
    """A classifier of dense layers."""
    layers = []
    for n, m in zip(sizes, sizes[1:]):
        layers += [nn.Linear(n, m), nn.ReLU()]
    model = nn.Sequential(*layers[:-1])
    return trained(model, model.parameters(), floats(batch, sizes[0]), sizes[-1], optimizer)


def lenet():
    """As in steps.py; channels last, which PyTorch is quicker with."""
    model = nn.Sequential(
        nn.Conv2d(1, 32, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 64, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(7 * 7 * 64, 512, bias=False), nn.ReLU(), nn.Linear(512, 10, bias=False),
    ).to(memory_format=torch.channels_last)  # fmt: skip
    return trained(model, model.parameters(), floats(64, 1, 28, 28), 10)


class Block(nn.Module):
    """Two convolutions and a shortcut."""

    def __init__(self, n, m, stride, normalized):
        super().__init__()
        self.first, self.second = convolved(n, m, stride, 3, normalized), convolved(m, m, 1, 3, normalized)
        self.shortcut = nn.Identity() if n == m else convolved(n, m, stride, 1, normalized)

    def forward(self, x):
        return functional.relu(self.second(functional.relu(self.first(x))) + self.shortcut(x))


def convolved(n, m, stride, size, normalized):
    """A convolution with a bias, or with batch normalization."""
    layer = nn.Conv2d(n, m, size, stride, padding=size // 2, bias=not normalized)
    return nn.Sequential(layer, nn.BatchNorm2d(m, track_running_stats=False)) if normalized else layer


def resnet(normalized=False):
    """As in steps.py; channels last, which PyTorch is quicker with."""
    model = nn.Sequential(
        convolved(3, 16, 1, 3, normalized), nn.ReLU(), Block(16, 16, 1, normalized), Block(16, 32, 2, normalized),
        Block(32, 64, 2, normalized), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10, bias=False),
    ).to(memory_format=torch.channels_last)  # fmt: skip
    images = floats(32, 3, 32, 32)
    return trained(model, model.parameters(), images, 10, lambda p: torch.optim.SGD(p, 0.01, 0.9))


class LastOutput(nn.Module):
    """A classifier of what an LSTM says last."""

    def __init__(self):
        super().__init__()
        self.lstm, self.dense = nn.LSTM(64, 128, batch_first=True), nn.Linear(128, 10, bias=False)

    def forward(self, x):
        return self.dense(self.lstm(x)[0][:, -1])


def lstm():
    """As in steps.py."""
    model = LastOutput()
    return trained(model, model.parameters(), floats(32, 50, 64), 10)


def word2vec():
    """As in steps.py, with sparse gradients."""
    table, context = (nn.Embedding(1_000_000, 64, sparse=True) for _ in range(2))
    optimizer = torch.optim.SGD([table.weight, context.weight], 0.1)
    inputs, targets, negatives = (torch.from_numpy(labels(n, 1_000_000)).long() for n in (512, 512, 64))
    cross = functional.binary_cross_entropy_with_logits

    def step():
        optimizer.zero_grad()
        center = table(inputs)
        near, far = (center * context(targets)).sum(1), center @ context(negatives).T
        loss = cross(near, torch.ones_like(near)) + cross(far, torch.zeros_like(far))
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


def sparse_adagrad():
    """As in steps.py, with sparse gradients."""
    table = nn.Embedding(1_000_000, 64, sparse=True)
    optimizer = torch.optim.Adagrad(table.parameters(), 0.1)
    rows = torch.from_numpy(labels(1024, 1_000_000)).long()

    def step():
        optimizer.zero_grad()
        table(rows).square().sum().backward()
        optimizer.step()

    return step


def adam_10m():
    """As in steps.py; the gradient is there already."""
    w = nn.Parameter(torch.zeros(10_000_000))
    w.grad = torch.ones(10_000_000)
    return torch.optim.Adam([w], 1e-3, foreach=False, fused=True).step


MODELS = {
    "logistic_regression": lambda: perceptron([64, 10], 32, lambda p: torch.optim.SGD(p, 0.1)),
    "mlp_small": lambda: perceptron([64, 32, 10], 32),
    "deep_20x64": lambda: perceptron([64] * 20 + [10], 32),
    "mlp_large": lambda: perceptron([784, 512, 10], 128),
    "lenet": lenet,
    "resnet": resnet,
    "resnet_normalized": lambda: resnet(normalized=True),
    "lstm_dynamic_rnn": lstm,
    "lstm_while_loop": lstm,
    "word2vec": word2vec,
    "sparse_adagrad": sparse_adagrad,
    "adam_10m": adam_10m,
}


def steps(threads):
    """What makes the step of a case, and what ends it."""
    if threads:
        torch.set_num_threads(threads)
    return lambda name: (MODELS[name](), lambda: None) if name in MODELS else None
